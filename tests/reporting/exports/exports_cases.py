"""The students of the sample gradebook, and what they should be exported with."""

STUDENTS = {
    "ada": {"first_name": "Ada", "last_name": "Lovelace", "email": "ada@uni.example", "lms_user_id": "101"},
    "bo": {
        "first_name": "Bo, the 2nd",
        "last_name": 'O"Neil',
        "email": "bo@uni.example",
        "lms_user_id": "102",
    },
    "chen": {"first_name": "晨", "last_name": "陈", "email": "chen@uni.example", "lms_user_id": "103"},
    "dev": {"first_name": "=1+1", "last_name": "", "email": "dev@uni.example", "lms_user_id": "104"},
    "eve": {"first_name": "Eve", "last_name": "Absent", "email": "eve@uni.example", "lms_user_id": "105"},
    "fay": {"first_name": "Fay", "last_name": "Ungraded", "email": "fay@uni.example", "lms_user_id": "106"},
}
# What each should be exported with, out of 12: see `gradebook_url`.
FINAL = {"ada": 12.0, "bo": 8.5, "chen": 0.0, "dev": 10.0}
