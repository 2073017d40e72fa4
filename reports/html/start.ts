import { listFilters, readAddress, writeAddress, type AddressState } from './address.ts';
import { fillCase, readForPrint, showMessage, drawCase, fillRule } from './cases.ts';
import { addCommandButtons, addLinkButton, addVoice } from './copy.ts';
import { deepRead, readUnitsOnce } from './units.ts';
import { all, need, openAround, show } from './dom.ts';
import { applyFilter, markCases, reveal } from './filter.ts';
import { addHelp, sayTrouble } from './help.ts';
import { highlight, highlightSoon } from './highlight.ts';

const form = need('filters', HTMLFormElement);
const query = need('q', HTMLInputElement);
let state = readAddress(location.hash);
/** Number of visits, so that only the last place asked for is shown: unpacking may delay earlier ones. */
let visits = 0;

const boxes = (name: string) => all(form, `input[type=checkbox][name=${name}]`, HTMLInputElement);

function showState() {
  query.value = state.q;
  for (const name of listFilters) for (const box of boxes(name)) box.checked = state[name].includes(box.value);
  for (const box of boxes('in')) box.checked = state.in === box.value;
}

function readControls(): AddressState {
  const checked = (name: string) =>
    boxes(name)
      .filter((box) => box.checked)
      .map(({ value }) => value);
  return {
    ...state,
    verdict: checked('verdict'),
    level: checked('level'),
    area: checked('area'),
    q: query.value.trim(),
    in: checked('in')[0] ?? '',
  };
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

/** State that a link leads to: an element, perhaps a message in it; or the rules of one verdict, area or search. */
function linkState(link: Element): AddressState {
  const { anchor } = readAddress(link.getAttribute('href') ?? '');
  const next = { ...state, anchor, at: link.getAttribute('data-at') ?? '' };
  const wanted = listFilters.filter((name) => link.hasAttribute(`data-${name}`));
  const q = link.getAttribute('data-q') ?? '';
  if (wanted.length === 0 && q === '') return next;
  const only = { ...readAddress(''), anchor, q };
  for (const name of wanted) only[name] = [link.getAttribute(`data-${name}`) ?? ''];
  return only;
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

/** Prepares the page: a wide window opens filters and contents, a narrow one closes them. */
function settle() {
  const isWide = matchMedia('(min-width: 60rem)').matches;
  for (const filters of all(form, 'details', HTMLDetailsElement)) filters.open = isWide;
  for (const contents of all(document, '.contents details', HTMLDetailsElement)) contents.open = isWide;
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

function changeSearch({ target }: Event) {
  changeState({ ...readControls(), anchor: '', at: '' });
  isWriting = target === query;
}

/** Scrolls to the rules if the address has a search but no anchor. */
function showSearched() {
  const isSearch = state.q !== '' || listFilters.some((name) => state[name].length > 0);
  if (state.anchor === '' && isSearch) need('rules', HTMLElement).scrollIntoView();
}

settle();
form.addEventListener('input', changeSearch);
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
