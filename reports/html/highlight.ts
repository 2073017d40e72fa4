import { all } from './dom.ts';
import { parseSearch } from './search.ts';
import { shownRules } from './filter.ts';

/** Maximum marks of a search, and maximum characters searched for them. */
const maxMarks = 2000;
const maxSearched = 300_000;
const highlightName = 'found';

/** Accepts visible text only: of a closed element, its summary. */
const visibleText = {
  acceptNode: (node: Node) => {
    if (node instanceof Text) return NodeFilter.FILTER_ACCEPT;
    if (!(node instanceof Element)) return NodeFilter.FILTER_REJECT;
    const { parentElement: parent } = node;
    const isFolded = parent instanceof HTMLDetailsElement && !parent.open && node.localName !== 'summary';
    return isFolded || node.localName === 'button' ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  },
};

function rangesIn(node: Text, words: readonly string[]): StaticRange[] {
  const text = node.data.toLowerCase();
  // If lower case has another length, its offsets do not apply to the text.
  if (text.length !== node.data.length) return [];
  return words.flatMap((word) => {
    const ranges = [];
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      const ends = { startContainer: node, endContainer: node, startOffset: at, endOffset: at + word.length };
      ranges.push(new StaticRange(ends));
    }
    return ranges;
  });
}

/** Collects the ranges of words within an element, up to the limits. */
function collect(root: Element, words: readonly string[], found: { characters: number; ranges: StaticRange[] }) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, visibleText);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (found.characters > maxSearched || found.ranges.length >= maxMarks) return;
    if (!(node instanceof Text)) continue;
    found.characters += node.data.length;
    for (const range of rangesIn(node, words)) found.ranges.push(range);
  }
}

/** Marks the searched words in the rules that are shown, without changing the page's text. */
export function highlight(search: string) {
  if (!('highlights' in CSS)) return;
  CSS.highlights.delete(highlightName);
  const terms = parseSearch(search).terms.filter(({ isNegated }) => !isNegated);
  const words = terms.filter(({ field }) => field === undefined).flatMap(({ values }) => values);
  const names = terms.filter(({ field }) => field === 'rule' || field === 'case').flatMap(({ values }) => values);
  if (words.length + names.length === 0) return;
  const found = { characters: 0, ranges: [] };
  for (const rule of shownRules()) {
    if (words.length > 0) collect(rule, words, found);
    if (names.length > 0)
      for (const id of all(rule, 'summary .id, .elsewhere a', HTMLElement)) collect(id, names, found);
  }
  CSS.highlights.set(highlightName, new Highlight(...found.ranges));
}

let isWaiting = false;

/** Highlights at the next frame, once for any number of calls until then. */
export function highlightSoon(search: () => string) {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    highlight(search());
  });
}
