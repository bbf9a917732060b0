"""Mutation testing: does a wrong answer pass that nobody listed?"""
