/**
 * A press with mouse, finger or key. A finger that rests a while is still a press: browsers make no
 * click of it, and not everybody is quick.
 */
export interface Press {
  readonly byPointer: boolean;
  readonly timeStamp: number;
}

export function press(act: (press: Press) => void): (element: HTMLElement) => () => void {
  return (element) => {
    function lift(event: TouchEvent): void {
      const finger = event.changedTouches[0];
      if (!finger || element.matches(":disabled")) return;
      const below = document.elementFromPoint(finger.clientX, finger.clientY);
      if (event.cancelable) event.preventDefault(); // no click after it: that would be a second press
      if (below && element.contains(below)) act({ byPointer: true, timeStamp: event.timeStamp });
    }
    function click(event: MouseEvent): void {
      act({ byPointer: event.detail > 0, timeStamp: event.timeStamp });
    }
    element.addEventListener("touchend", lift, { passive: false });
    element.addEventListener("click", click);
    return () => {
      element.removeEventListener("touchend", lift);
      element.removeEventListener("click", click);
    };
  };
}
