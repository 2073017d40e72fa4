import { need } from '../dom.ts';
import { drawId, showLeft, showQuestions } from './questions.ts';
import { addItems, showEnded } from './items.ts';
import { showProgress, showWaits } from './progress.ts';
import { listen } from './stream.ts';
import { showConnection, tell } from './strip.ts';
import type { LiveState } from '../../../src/live/views.ts';

const name = need('name', HTMLInputElement);
const title = document.title;
let state: LiveState | undefined;

/** Value stored in the browser; without storage, a fresh one for each visit. */
function keep(key: string, fresh: () => string) {
  try {
    const kept = localStorage.getItem(key) ?? fresh();
    localStorage.setItem(key, kept);
    return kept;
  } catch {
    return fresh();
  }
}

const id = keep('person', drawId);
const me = () => ({ id, name: name.value });

function keepName() {
  try {
    localStorage.setItem('name', name.value);
  } catch {
    // The page works without.
  }
}

/** Shows what is due in the title, for people who look at another page. */
function showTitle() {
  const due = showLeft();
  if (due !== undefined) document.title = `(${due.count}) ${due.words} – ${title}`;
  else if (state?.begun === true) document.title = `${state.done}/${state.cases} – ${title}`;
}

function draw() {
  showTitle();
  if (state === undefined) return;
  showProgress(state);
  showWaits(state);
}

name.value = keep('name', () => '');
listen(
  {
    connection: showConnection,
    desk: (view) => {
      showQuestions(view, me);
      showEnded(view);
      showTitle();
    },
    state: (view) => {
      const words = view.ended ?? view.stopping;
      if (words !== undefined && words !== (state?.ended ?? state?.stopping)) tell(words);
      state = view;
      draw();
    },
    items: addItems,
  },
  id,
);
name.addEventListener('change', keepName);
need('who', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  name.blur();
});
setInterval(draw, 1000);
