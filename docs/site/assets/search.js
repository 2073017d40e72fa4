'use strict';

/* The page of the search: it looks through what search-data.js has, as the reader types. */
(() => {
  const most = 60;
  const data = globalThis.carrierspecSearch;
  const field = document.querySelector('#find');
  const hits = document.querySelector('#hits');
  const found = document.querySelector('#found');

  /* `REQ-015` is a word, and so are `REQ` and `015`. */
  const wordsOf = (text) =>
    text.split(/[\s,;:()"'`§]+/).flatMap((word) => {
      const parts = word.split(/[-_./#]+/).filter(Boolean);
      return parts.length > 1 ? [word, ...parts] : [word.replace(/[.]$/, '')].filter(Boolean);
    });

  const weights = { rule: 3, fault: 1.5, command: 2, interpretation: 2, code: 1.5, choice: 0.5, case: 0.9 };
  const index = new MiniSearch({
    fields: ['name', 'text', 'more'],
    tokenize: wordsOf,
    searchOptions: {
      boost: { name: 4, more: 0.3 },
      prefix: true,
      fuzzy: (term) => (term.length > 3 && !/\d/.test(term) ? 0.2 : false),
      combineWith: 'AND',
      boostDocument: (id) => weights[data[id][3]] ?? 1,
    },
  });
  index.addAll(data.map(([name, text, , , more = ''], id) => ({ id, name, text, more })));

  const make = (tag, text, given = {}) => Object.assign(document.createElement(tag), { textContent: text, ...given });

  function search(query) {
    const asked = query.trim().toLowerCase();
    const isAsked = (id) => data[id][0].toLowerCase() === asked;
    const all = asked === '' ? [] : index.search(asked).map(({ id }) => id);
    return [...all.filter(isAsked), ...all.filter((id) => !isAsked(id))];
  }

  function show(query) {
    const ids = search(query);
    const items = ids.slice(0, most).map((id) => {
      const [name, text, href, kind] = data[id];
      const item = document.createElement('li');
      item.append(make('a', name, { href }), ' ', make('span', kind, { className: 'quiet' }), make('p', text));
      return item;
    });
    hits.replaceChildren(...items);
    const more = ids.length > most ? `, of which ${most} are shown` : '';
    found.textContent = query.trim() === '' ? 'Type a name, or words.' : `${ids.length} found${more}`;
  }

  const asked = new URLSearchParams(location.search).get('q') ?? '';
  field.value = asked;
  show(asked);
  field.addEventListener('input', () => {
    show(field.value);
    history.replaceState(null, '', `?q=${encodeURIComponent(field.value)}`);
  });
})();
