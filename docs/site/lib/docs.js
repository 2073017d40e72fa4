// The pages of docs/ and those at the root of the repository: Markdown as it stands there, with its links led to the site.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path/posix';
import GitHubSlugger from 'github-slugger';
import markdownIt from 'markdown-it';
import anchor from 'markdown-it-anchor';
import { root } from './catalogue.js';
import { escape, relativeTo, writerOf } from './html.js';

const atRoot = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

/** Files of the repository that become pages, from its root. */
export const sources = [
  ...atRoot,
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const taken = new Set(sources.filter((path) => path.startsWith('docs/')).map((path) => basename(path).toLowerCase()));

/** `docs/running.html` of docs/running.md, `docs/readme.html` of README.md, `docs/about-security.html` where both have the name. */
export function pageOf(source) {
  const name = basename(source, '.md').toLowerCase();
  const isTaken = !source.startsWith('docs/') && taken.has(`${name}.md`);
  return `docs/${isTaken ? `about-${name}` : name}.html`;
}

/** The place of `docs/running.md` or of `running.md`, as texts name pages. */
const pages = new Map(sources.flatMap((source) => [[source, pageOf(source)], ...(atRoot.includes(source) ? [] : [[basename(source), pageOf(source)]])]));
export const docPlace = (name) => pages.get(name);

const isOutside = (href) => /^[a-z][a-z+.-]*:/i.test(href);

/** Where a link of a document leads: a page, a file that the site gets a copy of, or nowhere. */
function follow(source, href) {
  const [path, fragment] = href.split('#');
  if (path === '') return { href: `${pageOf(source)}#${fragment}` };
  const to = normalize(join(dirname(source), decodeURI(path)));
  const page = pages.get(to);
  if (page !== undefined) return { href: fragment === undefined ? page : `${page}#${fragment}` };
  const file = join(root, to);
  if (to.startsWith('..') || !existsSync(file) || !statSync(file).isFile()) return {};
  return { href: `files/${to}`, file: to };
}

/** Headings are numbered apart as GitHub does, so that links into a page hold here and there. */
const slugsOf = () => {
  const slugger = new GitHubSlugger();
  return (text) => slugger.slug(text);
};

/** Leads the links and pictures of a document to the site; a link to what is not here becomes its text. */
function leadLinks(tokens, { source, page, files }) {
  const kept = [];
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const name = token.type === 'link_open' ? 'href' : token.type === 'image' ? 'src' : undefined;
    if (token.type === 'link_close' && kept.pop() === false) token.hidden = true;
    if (name === undefined) continue;
    const given = token.attrGet(name);
    const found = isOutside(given) ? { href: given, outside: true } : follow(source, given);
    if (found.file !== undefined) files.add(found.file);
    if (name === 'href') kept.push(found.href !== undefined);
    if (found.href === undefined) token.hidden = true;
    else token.attrSet(name, found.outside === true ? found.href : relativeTo(page, found.href));
  }
}

/** The page of what stands in code: a rule, an error code, a command with whatever is behind it. */
function placeOfCode(content, place) {
  const [, command = ''] = /^carrierspec ([a-z]+)\b/.exec(content) ?? [];
  return place('rule', content) ?? place('code', content) ?? (command === '' ? undefined : place('command', command));
}

/** Makes names links, but for those that stand in a link. */
function linkNames(tokens, { writer, place }) {
  for (const { children } of tokens) {
    let open = 0;
    for (const token of children ?? []) {
      open += token.type === 'link_open' ? 1 : token.type === 'link_close' ? -1 : 0;
      if (open > 0) continue;
      if (token.type === 'text') token.meta = { written: writer.text(token.content) };
      const href = token.type === 'code_inline' ? placeOfCode(token.content, place) : undefined;
      if (href !== undefined) token.meta = { written: writer.link(href, token.content) };
    }
  }
}

const written = ({ content, meta }) => meta?.written ?? escape(content);

function rendererOf() {
  const renderer = markdownIt({ html: false, linkify: false });
  renderer.use(anchor, {
    slugifyWithState: (text, { env }) => env.slugs(text),
    permalink: anchor.permalink.headerLink(),
    tabIndex: false,
  });
  Object.assign(renderer.renderer.rules, {
    text: (tokens, at) => written(tokens[at]),
    code_inline: (tokens, at) => `<code>${written(tokens[at])}</code>`,
    fence: (tokens, at) => `<pre tabindex="0"><code>${escape(tokens[at].content)}</code></pre>\n`,
    // A table that is wider than the page is scrolled by itself, by keys too.
    table_open: () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n',
    table_close: () => '</table></div>\n',
    // A column without a name has no header.
    th_open: (tokens, at) => (tokens[at + 1].content === '' ? '<td>' : '<th>'),
    th_close: (tokens, at) => (tokens[at - 1].content === '' ? '</td>' : '</th>'),
  });
  return renderer;
}

const markdown = rendererOf();

/** What a heading shows: the link that is put around it leaves its own content empty. */
const shownIn = ({ children }) => children.map(({ content }) => content).join('');

/** Headings of a document with the text below each, as the search has them. */
function sectionsOf(tokens, page) {
  const sections = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      sections.push({ page, anchor: token.attrGet('id') ?? '', title: shownIn(tokens[at + 1]), text: [] });
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') {
      sections.at(-1)?.text.push(token.content);
    }
  }
  return sections.map((section) => ({ ...section, text: section.text.join(' ').replace(/[`*[\]|]|\(\S+\)/g, '') }));
}

/** A document as a page: its title, its body, what of the repository it leads to, and its sections. */
export function readDoc(source, place) {
  const page = pageOf(source);
  const writer = writerOf(page, place);
  const files = new Set();
  const env = { slugs: slugsOf() };
  const tokens = markdown.parse(readFileSync(join(root, source), 'utf8'), env);
  leadLinks(tokens, { source, page, files });
  linkNames(tokens, { writer, place });
  const sections = sectionsOf(tokens, page);
  return {
    source,
    page,
    title: sections[0]?.title ?? basename(source),
    body: markdown.renderer.render(tokens, markdown.options, env),
    files: [...files],
    sections,
  };
}
