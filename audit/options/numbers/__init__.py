"""From choices to numbers: kappas with intervals and p (`scheme`), and what doubts them (`null`, `widening`, ...)."""
