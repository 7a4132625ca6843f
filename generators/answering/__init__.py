"""What answers are: how they are put, read, scored and guessed, and which errors lead to them.

Read `answer_form`, `scorer`, `blind`, then `plain_scorer`, the scorer of families without their own.
"""
