import { readAddress, writeAddress, type AddressState } from './address.ts';
import { fillCase, readForPrint, showMessage, drawCase, fillRule } from './cases.ts';
import { addCommandButtons, addLinkButton, addVoice } from './copy.ts';
import { deepRead, readUnitsOnce } from './units.ts';
import { all, need, openAround, show } from './dom.ts';
import { applyFilter, markCases, reveal } from './filter.ts';
import { addHelp, sayTrouble } from './help.ts';
import { toggleValue } from './search.ts';
import { highlight, highlightSoon } from './highlight.ts';

const form = need('filters', HTMLFormElement);
const query = need('q', HTMLInputElement);
let state = readAddress(location.hash);
/** Number of visits, so that only the last place asked for is shown: unpacking may delay earlier ones. */
let visits = 0;

const deepBox = need('in', HTMLInputElement);
/** Buttons that add a value to the search, or take it away. */
const chips = all(form, 'button[data-field]', HTMLButtonElement);

const toggleChip = ({ dataset: { field = '', value = '' } }: HTMLElement) => toggleValue(query.value, field, value);

function showChips() {
  for (const chip of chips) chip.setAttribute('aria-pressed', String(toggleChip(chip).has));
}

function showState() {
  query.value = state.q;
  deepBox.checked = state.in === 'exchanges';
  showChips();
}

/** Shows the matching rules, marks the searched words in them, and says what cannot be found. */
async function search() {
  if (!(await applyFilter(state))) return;
  const left = state.in === 'exchanges' ? (deepRead?.left ?? 0) : 0;
  sayTrouble(state.q, left === 0 ? '' : `The exchanges of ${left} cases cannot be searched here.`);
  highlight(state.q);
}

/** Whether the reader is writing a search, which is one step in the history. */
let isWriting = false;

function changeState(next: AddressState) {
  state = next;
  if (isWriting) history.replaceState(null, '', writeAddress(state));
  else history.pushState(null, '', writeAddress(state));
  visits += 1;
  void search();
}

/** Opens everything around an element, scrolls to it and gives it the focus. */
async function goTo({ anchor, at }: AddressState, isLate: () => boolean) {
  if (anchor === '') return;
  const found = document.getElementById(anchor) ?? (await drawCase(anchor));
  if (found === null || isLate()) return;
  reveal(found);
  openAround(found);
  const isCase = found instanceof HTMLDetailsElement && found.matches('.case');
  if (isCase) await fillCase(found);
  if (!isLate()) show((isCase && at !== '' ? showMessage(found, at) : undefined) ?? found);
}

/** Shows the state: the matching rules, then the place. */
async function showPlace() {
  visits += 1;
  const own = visits;
  const isLate = () => own !== visits;
  showState();
  await search();
  if (!isLate()) await goTo(state, isLate);
}

/** State that a link leads to: an element, perhaps a message in it; or the rules that a search finds. */
function linkState(link: Element): AddressState {
  const { anchor } = readAddress(link.getAttribute('href') ?? '');
  const q = link.getAttribute('data-q');
  return q === null ? { ...state, anchor, at: link.getAttribute('data-at') ?? '' } : { ...readAddress(''), anchor, q };
}

function followLinks(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  if (link === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, '', writeAddress(linkState(link)));
  followAddress();
}

/** Follows a mark in a picture to its rule; without a pointer, the link beside it leads to the whole area. */
function followMarks({ target }: MouseEvent) {
  const anchor = target instanceof SVGElement ? target.dataset['leads'] : undefined;
  if (anchor === undefined) return;
  history.pushState(null, '', writeAddress({ ...state, anchor, at: '' }));
  followAddress();
}

function followAddress() {
  isWriting = false;
  state = readAddress(location.hash);
  void showPlace();
}

/** Offers to print the summary or everything. */
function offerPrinting() {
  const print = (isAll: boolean) => {
    document.documentElement.classList.toggle('print-all', isAll);
    window.print();
  };
  need('print-summary', HTMLElement).addEventListener('click', () => print(false));
  need('print-all', HTMLElement).addEventListener('click', () => print(true));
  need('printing', HTMLElement).hidden = false;
}

/** Opens the rules that did not hold, with the exchanges of the cases that show it, for a complete print. */
function openForPrint() {
  if (!document.documentElement.classList.contains('print-all')) return;
  for (const section of all(document, 'details.clause', HTMLDetailsElement)) section.open = true;
  for (const rule of all(document, '.rule[data-verdict=fail], .rule[data-verdict=warn]', HTMLDetailsElement)) {
    rule.open = true;
    void fillRule(rule);
    for (const one of all(rule, 'details.case:has(> summary .v-fail, > summary .v-warn)', HTMLDetailsElement)) {
      one.open = true;
      void fillCase(one);
    }
  }
  for (const more of all(document, 'details.reason', HTMLDetailsElement)) more.open = true;
}

/** Prepares the page: a wide window opens the filters. */
function settle() {
  need('narrow', HTMLDetailsElement).open = matchMedia('(min-width: 60rem)').matches;
  form.hidden = false;
  need('no-script', HTMLElement).hidden = true;
}

async function fillOpened({ target }: Event) {
  if (!(target instanceof HTMLDetailsElement) || !target.open) return;
  if (target.matches('.rule, .clause')) await fillRule(target);
  if (target.matches('.rule')) markCases(target);
  if (target.matches('.case')) await fillCase(target);
  if (target.matches('.rule, .case')) addLinkButton(target);
  addCommandButtons(target);
  if (state.q !== '') highlightSoon(() => state.q);
}

function changeSearch(target: EventTarget | null) {
  changeState({ anchor: '', q: query.value.trim(), in: deepBox.checked ? 'exchanges' : '', at: '' });
  isWriting = target === query;
  showChips();
}

/** Scrolls to the rules if the address has a search but no anchor. */
function showSearched() {
  if (state.anchor === '' && state.q !== '') need('rules', HTMLElement).scrollIntoView();
}

settle();
form.addEventListener('input', ({ target }) => changeSearch(target));
for (const chip of chips) {
  chip.addEventListener('click', () => {
    query.value = toggleChip(chip).search;
    changeSearch(chip);
  });
}
form.addEventListener('change', () => {
  isWriting = false;
});
query.addEventListener('focus', () => void readUnitsOnce());
form.addEventListener('submit', (event) => event.preventDefault());
need('clear', HTMLElement).addEventListener('click', () => {
  changeState(readAddress(''));
  showState();
});
// `toggle` does not bubble, but it can be captured.
document.addEventListener('toggle', (event) => void fillOpened(event), true);
document.addEventListener('click', followLinks);
document.addEventListener('click', followMarks);
window.addEventListener('popstate', followAddress);
window.addEventListener('beforeprint', openForPrint);
offerPrinting();
addHelp();
addVoice();
addCommandButtons(need('main', HTMLElement));
void showPlace().then(showSearched);
void readForPrint();
