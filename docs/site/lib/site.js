// All pages of the site, as data for the templates.
import { placesOf, readCatalogue, withPage } from './catalogue.js';
import { docPlace, readDoc, sources } from './docs.js';
import { escape, writeBlocks, writerOf } from './html.js';

/** Kinds in the navigation of every page, with what they are called there; the first page has more, that of all kinds the rest. */
const inFront = {
  rule: 'Rules',
  case: 'Cases',
  fault: 'Faults',
  freedom: 'Freedoms',
  interpretation: 'Interpretations',
  code: 'Error codes',
  command: 'Commands',
};
const onFirstPage = [...Object.keys(inFront), 'invariant', 'decision', 'clause', 'limit', 'oauth-error'];

/** Kinds of which the list is in groups: by the part of its head that has the name of the group. */
const groupedBy = { rule: 2, case: 0, invariant: 0 };

const groupOf = (kind, { blocks }) => blocks[0]?.about?.[groupedBy[kind]] ?? '';

const capitalised = (words) => words[0].toUpperCase() + words.slice(1);

const listPage = (kind) => `${kind}/index.html`;

/** The entries of a kind with a page of their own, each beside the one before and the one after it. */
function pagesOfKind(kind, place) {
  const own = withPage(kind);
  return own.map((entry, at) => {
    const { name, page, description, facts, blocks } = entry;
    return {
      page,
      name,
      title: blocks[0]?.name ?? name,
      description,
      facts,
      group: groupOf(kind.name, entry),
      kind: kind.name,
      many: capitalised(kind.many),
      list: listPage(kind.name),
      body: writeBlocks(blocks, writerOf(page, place)),
      before: own[at - 1],
      after: own[at + 1],
    };
  });
}

/** A fact in a list; what says by itself what it is has no label. */
const cellOf = (column, fact, writer) =>
  ['level', 'clause'].includes(column) ? writer.text(fact) : `${escape(column)} ${writer.text(fact)}`;

/** The list of a kind: its groups in the order of their first entries, and the names of its columns. */
function listOf(kind, entries, place) {
  const page = listPage(kind.name);
  const writer = writerOf(page, place);
  const columns = Object.keys(entries[0]?.facts ?? {});
  const groups = new Map();
  for (const { name, page: to, description, facts, group } of entries) {
    const cells = columns.filter((column) => facts[column] !== '').map((column) => cellOf(column, facts[column], writer));
    const row = { name, page: to, description: writer.text(description), about: cells.join(' · ') };
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  return {
    page,
    kind: kind.name,
    many: capitalised(kind.many),
    count: entries.length,
    groups: [...groups].map(([title, rows], at) => ({ title: capitalised(title || kind.many), id: `group-${at + 1}`, rows })),
  };
}

/** What a page says below its sentence, as far as it is prose: for a rule, its interpretation, its cases and its faults. */
const proseOf = (blocks) =>
  blocks
    .filter((block) => block.whole !== true && (block.is === 'paragraph' || block.label === 'interpretation'))
    .map(({ words }) => (typeof words === 'string' ? words : words.map((part) => part.shown ?? part).join('')))
    .slice(1);

/** What the search looks through: a name, a sentence, where it is, of what kind, and what is found and not shown. */
function searched(kinds, docs) {
  const named = kinds.flatMap(({ name: kind, entries }) =>
    entries.map(({ name, description, page, anchor, blocks }) => [
      name,
      description,
      anchor === '' ? page : `${page}#${anchor}`,
      kind,
      ...(kind === 'rule' ? [[...new Set(proseOf(blocks).join(' ').split(' '))].join(' ')] : []),
    ]),
  );
  const sections = docs.flatMap((doc) =>
    doc.sections.map(({ page, anchor, title, text }) => [title, text.slice(0, 600), `${page}#${anchor}`, doc.title]),
  );
  return [...named, ...sections];
}

/** `url`: where the site will stand, with a slash at its end; without it, where the program says, or the root of a host. */
export function makeSite(url) {
  const catalogue = readCatalogue();
  const { kinds, version, site } = catalogue;
  const named = placesOf(catalogue);
  const place = (kind, name) => (kind === 'doc' ? docPlace(name) : named(kind, name));
  const entries = new Map(kinds.map((kind) => [kind.name, pagesOfKind(kind, place)]));
  const lists = kinds
    .filter(({ name }) => (entries.get(name)?.length ?? 0) > 0)
    .map((kind) => listOf(kind, entries.get(kind.name), place));
  const docs = sources.map((source) => readDoc(source, place));
  return {
    version,
    own: site,
    url: url ?? site ?? '/',
    isPlaced: (url ?? site) !== undefined,
    entries: [...entries.values()].flat(),
    lists,
    front: Object.entries(inFront).map(([kind, name]) => ({ name, page: listPage(kind) })),
    first: onFirstPage.map((name) => lists.find(({ kind }) => kind === name)),
    docs,
    files: [...new Set(docs.flatMap(({ files }) => files))],
    searched: searched(kinds, docs),
  };
}
