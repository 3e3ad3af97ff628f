// Notes in the page what is measured there. Times are milliseconds of performance.now().
(() => {
  const notes = { moves: [], taps: [], interactions: {}, now: 0 };
  window.measured = notes;

  // When cards move: from the end of an animation's delay to its own end.
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    const animation = animate.apply(this, how);
    const tap = notes.taps.at(-1);
    void animation.ready.then(() => {
      if (tap?.lifted && !tap.moved) tap.moved = performance.now() - tap.lifted;
      const { delay, endTime } = animation.effect.getComputedTiming();
      const start = animation.startTime;
      const note = (end) => notes.moves.push([start + delay, end]);
      animation.finished.then(
        () => note(start + endTime),
        () => note(performance.now()),
      );
    });
    return animation;
  };

  // From the finger that comes down to the first change that is painted.
  addEventListener(
    "pointerdown",
    ({ timeStamp }) => notes.taps.push({ at: timeStamp, lifted: 0, seen: 0, moved: 0 }),
    true,
  );
  addEventListener("pointerup", ({ timeStamp }) => (notes.taps.at(-1).lifted = timeStamp), true);
  new MutationObserver(() => {
    const tap = notes.taps.at(-1);
    if (!tap || tap.changed) return;
    tap.changed = true;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (tap.seen = performance.now() - tap.at);
    requestAnimationFrame(() => port2.postMessage(0)); // answered when the frame is done
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });

  // The browser's own opinion; what it finds shorter than 16 ms it does not mention.
  new PerformanceObserver((list) => {
    for (const { interactionId: id, duration } of list.getEntries())
      if (id) notes.interactions[id] = Math.max(notes.interactions[id] ?? 0, duration);
  }).observe({ type: "event", durationThreshold: 16 });
})();
