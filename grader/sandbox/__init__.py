"""The sandbox: isolated processes that run learners' code; they are never sent an expected tensor."""
