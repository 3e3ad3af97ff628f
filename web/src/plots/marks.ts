/** A mark for each line of a plot, around 0 0 and about 10 wide: no line needs its colour to be told. */
export const MARKS: readonly string[] = [
  "M0-5.5 5.5 4.5H-5.5Z",
  "M0-4.7A4.7 4.7 0 1 1 0 4.7 4.7 4.7 0 1 1 0-4.7Z",
  "M-4.4-4.4H4.4V4.4H-4.4Z",
  "M0-6 6 0 0 6-6 0Z",
  "M-5.5-4.5H5.5L0 5.5Z",
  "M-1.8-5.5H1.8V-1.8H5.5V1.8H1.8V5.5H-1.8V1.8H-5.5V-1.8H-1.8Z",
];
