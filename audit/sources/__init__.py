"""Where a benchmark comes from: files and their bytes, folders, the Hub, frames in memory."""
