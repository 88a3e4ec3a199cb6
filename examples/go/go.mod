module tenon.example

go 1.19
