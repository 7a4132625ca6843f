"""Getting a frozen release: `index` lists what there is, `download` fetches it and loads it as a table."""
