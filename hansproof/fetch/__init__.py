"""Getting a frozen release: `index` lists what there is, `download` fetches it, `rows` loads it as a table."""
