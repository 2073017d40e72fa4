/**
 * Opens everything around an element.
 * @param {Element} element
 */
export function openAround(element) {
  for (
    let around = element.closest('details');
    around !== null;
    around = around.parentElement?.closest('details') ?? null
  ) {
    around.open = true;
  }
}

/**
 * Brings an element into sight and gives it the focus.
 * @param {Element} element
 */
export function show(element) {
  const focus = element instanceof HTMLDetailsElement ? element.querySelector('summary') : element;
  if (focus instanceof HTMLElement && focus.tabIndex < 0) focus.tabIndex = -1;
  if (focus instanceof HTMLElement) focus.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'start' });
  // What is out of sight has a guessed height until it is near: once it is laid out the place is right.
  requestAnimationFrame(() => element.scrollIntoView({ block: 'start' }));
}
