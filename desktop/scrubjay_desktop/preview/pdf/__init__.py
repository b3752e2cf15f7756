"""The pages of PDF files in the preview."""
