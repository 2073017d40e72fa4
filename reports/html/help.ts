import { html, make, need } from './dom.ts';
import { type FieldName, fieldWords, parseSearch, type Term } from './search.ts';
import { type Units, unitsRead } from './units.ts';

const maxNamedValues = 12;

/** Values offered for a field: only prefixes for rule ids, and none for cases, because there are too many. */
function fieldValues(field: FieldName, { rules, cases }: Units): string[] {
  if (field === 'case') return [];
  const values = [...rules, ...cases].flatMap(({ facts }) => facts[field] ?? []);
  const named = field === 'rule' ? values.map((id) => /^\D*/.exec(id)?.[0] ?? '') : values;
  return [...new Set(named)].sort();
}

function listValues(values: readonly string[]) {
  const rest = values.length - maxNamedValues;
  return `${values.slice(0, maxNamedValues).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Sentence about a term that cannot match; undefined if each of its values begins a known one. */
function termTrouble({ field, values }: Term, units: Units) {
  if (field === undefined) return undefined;
  const known = [...units.rules, ...units.cases].flatMap(({ facts }) => facts[field] ?? []);
  const strange = values.filter((value) => !known.some((one) => one.startsWith(value)));
  if (values.length > 0 && strange.length === 0) return undefined;
  const listed = fieldValues(field, units);
  const there = listed.length === 0 ? '' : ` There ${listed.length === 1 ? 'is' : 'are'} ${listValues(listed)}.`;
  return values.length === 0
    ? `${field}: takes a value.${there}`
    : `No ${field} begins with ${strange.join(', ')}.${there}`;
}

const fieldNames = fieldWords.map(([name]) => `${name}:`).join(', ');

/** Box under the search that says which terms cannot match. */
const trouble = make('p', { class: 'trouble', id: 'q-trouble', role: 'status', dir: 'auto' });

export function sayTrouble(search: string, more = '') {
  const { terms, strange } = parseSearch(search);
  const units = unitsRead;
  const lines = [
    ...strange.map((name) => `There is no field ${name}, so that is searched for as text. Fields are ${fieldNames}.`),
    ...(units === undefined ? [] : terms.flatMap((term) => termTrouble(term, units) ?? [])),
    ...(more === '' ? [] : [more]),
  ];
  const words = lines.join(' ');
  if (trouble.textContent !== words) trouble.textContent = words;
}

const rulesOfSearch = [
  'Words and fields are all asked for. A word is found anywhere, a value at its beginning; a comma between values means or.',
  '- before a word or a field excludes it. Quotes hold words together: "not allowed".',
];

export function addHelp() {
  const query = need('q', HTMLInputElement);
  const fields = fieldWords.map(
    ([name, words, example]) =>
      html`<div><dt><code>${name}:</code></dt><dd>${words}, <code>${example}</code></dd></div>`,
  );
  const lines = rulesOfSearch.map((line) => html`<p>${line}</p>`);
  const help = make('div', { class: 'search-help', id: 'q-help' }, html`<dl class="facts">${fields}</dl>${lines}`);
  help.hidden = true;
  const attributes = { type: 'button', id: 'q-help-open', 'aria-expanded': 'false', 'aria-controls': 'q-help' };
  const button = make('button', { ...attributes, 'aria-label': 'What can be asked for' }, '?');
  button.addEventListener('click', () => {
    help.hidden = !help.hidden;
    button.setAttribute('aria-expanded', String(!help.hidden));
  });
  query.setAttribute('aria-describedby', 'q-trouble');
  query.placeholder = 'text, is:fail, rule:EVT-0, -case:…';
  query.after(button);
  query.closest('.find')?.append(trouble, help);
}
