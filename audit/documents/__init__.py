"""Results as documents for programs: `document` (JSON) and `itemsfile` (one line per item), both in `strict_json`."""
