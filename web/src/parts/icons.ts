/** Small signs beside words, drawn with one line on 24 by 24. */
export const ICONS = {
  settings:
    "M4 7h9.5M18.5 7H20M16 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5ZM4 17h1.5M10.5 17H20M8 14.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5Z",
  back: "M14.5 5.5 8 12l6.5 6.5",
  next: "M9.5 5.5 16 12l-6.5 6.5",
  share: "M12 15V4M8 7.5 12 3.5l4 4M5 12v7.5h14V12",
  copy: "M9 9h10v11H9ZM15 9V4H5v11h4",
  scores: "M5 20V11h3.5v9ZM10.3 20V4h3.5v16ZM15.6 20v-6h3.5v6Z",
  replay: "M9.5 7.5v9l7-4.5ZM12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18Z",
  learn:
    "M12 6.5C10 4.8 7 4.3 4 4.7v13.6c3-.4 6 .1 8 1.8 2-1.7 5-2.2 8-1.8V4.7c-3-.4-6 .1-8 1.8Zm0 0v13.6",
  coach: "M4 19V5M4 19h16M7 14l4-5 3 3 5-6",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  more: "M5.5 10.8a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4ZM12 10.8a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4ZM18.5 10.8a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4Z",
  lock: "M6 11h12v9H6ZM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  pencil: "M5 19l1-4L16.5 4.5l3 3L9 18ZM14 7l3 3",
} as const;

export type IconName = keyof typeof ICONS;
