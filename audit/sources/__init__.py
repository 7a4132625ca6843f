"""Where a benchmark comes from. Nothing here knows how it is written: that is `audit.formats`.

Read in this order: `content` (the bytes of one file), `folder` (the files of a folder), `addresses` (what
`hf://org/name` may mean), `hub` (a dataset from the Hugging Face Hub, or from a folder that has its shape).
"""
