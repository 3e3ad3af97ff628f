"""A short record that tests of the notation and of the commands take apart."""

# The hand of docs/notation.md, in lines: 1 to 6 tags, 7 blank, 8 Hand, 9 Deck, 10 to 15 turns, 16 End.
RECORD = """\
[Format "phaseten-1"]
[Edition "express"]
[Variant "standard"]
[Seat1 "Ana"]
[Seat2 "Beto"]
[Dealer "2"]

Hand 1
Deck R1 B1 R3 B7 B5 G9 W S R8 Y4 Y12 G6 Y11 G2 G3 R9 B2 Y2 R6 Y1 B11 B9 B3 R5 R4 G8 B4 Y8 G1 B8 Y3 Y9 G10 B6 W Y5 G11 G4 Y6 R10 R11 B12 W S Y10 G5 R2 R7 G7 Y7 R12 G12 S B10
1 D -R8
2 D:Y11 L B1 B7 G9 Y11 -S@1
1 *
2 D -G2
1 P L R1 R3 B5 W -G6
2 D H G3>1.1 -Y4
End 1:5 2:0
"""
