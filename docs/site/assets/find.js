'use strict';

/* `/` goes to the search, as in the report. */
document.addEventListener('keydown', (event) => {
  const field = document.querySelector('#find');
  const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field?.focus();
});
