"""All English of the word problems: vocabulary and templates; the readers in `reading` share no templates with them."""
