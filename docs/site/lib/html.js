// Texts and blocks as HTML. Whatever comes in is escaped here.

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escape = (text) => String(text).replace(/[&<>"']/g, (character) => entities[character]);

/** From a page, `rule/REQ-015.html`, to another address of the site. */
export const relativeTo = (page, href) => '../'.repeat(page.split('/').length - 1) + href;

/** What may be a name in running text, and the kinds it may be of: rules, interpretations, decisions, clauses, pages of docs/. */
const named =
  /(?<rule>\b[A-Z]{2,12}-\d{1,6}[a-z]?(?:#[\w-]+)?)|(?<decision>\b(?:P\d|C\d\.\d{1,2})\b)|(?<interpretation>\bA\d{1,2}\b)|(?<clause>§\d+(?:\.\d+)*)|(?<doc>\b(?:docs\/)?[\w-]+\.md\b)/g;

/** Makes what stands in a page. `place(kind, name)` is an address from the root of the site, or undefined. */
export function writerOf(page, place) {
  const link = (href, text) => `<a href="${escape(relativeTo(page, href))}">${escape(text)}</a>`;

  const linkName = (kind, name, text = name) => {
    const href = place(kind, name);
    return href === undefined || href === page ? escape(text) : link(href, text);
  };

  /** A text in which names that are known are links. */
  function text(given) {
    let written = '';
    let from = 0;
    for (const match of given.matchAll(named)) {
      const [kind] = Object.entries(match.groups).find(([, found]) => found !== undefined);
      written += escape(given.slice(from, match.index)) + linkName(kind, match[0]);
      from = match.index + match[0].length;
    }
    return written + escape(given.slice(from));
  }

  const part = (one) => {
    if (typeof one === 'string') return text(one);
    const { kind, names, shown } = one;
    return names.length === 1 ? linkName(kind, names[0], shown) : names.map((name) => linkName(kind, name)).join(', ');
  };
  const words = (given) => (typeof given === 'string' ? text(given) : given.map(part).join(''));
  return { link, linkName, text, words };
}

const isCommand = (given) => typeof given === 'string' && /^carrierspec /.test(given);
const idOf = ({ anchor }) => (anchor === undefined ? '' : ` id="${escape(anchor)}"`);

/** The words of a block: what is typed or copied is code. */
function wordsOf({ words: given, whole }, { words }) {
  if (isCommand(given)) return `<code class="command">${escape(given)}</code>`;
  return whole === true ? `<code>${words(given)}</code>` : words(given);
}

const deep = ({ indent }) => (indent > 2 ? ` class="deep"` : '');

const writers = {
  head: ({ about }, writer) =>
    about.length === 0 ? '' : `<p class="about">${about.map((one) => `<span>${writer.text(one)}</span>`).join(' ')}</p>`,
  paragraph(block, writer) {
    const { tone } = block;
    const inside = wordsOf(block, writer);
    if (tone === 'strong') return `<h3${idOf(block)}>${inside}</h3>`;
    const classes = [...(tone === 'faint' ? ['meta'] : []), ...(block.indent > 2 ? ['deep'] : [])];
    return `<p${idOf(block)}${classes.length === 0 ? '' : ` class="${classes.join(' ')}"`}>${inside}</p>`;
  },
  heading: ({ title, count }) => `<h2>${escape(title)} <span class="quiet">${escape(count)}</span></h2>`,
  step: ({ number, name, control }) =>
    `<h3 class="step"><span class="number">${number}.</span> ${escape(name)}${control ? ' <span class="quiet">control</span>' : ''}</h3>`,
  gap: () => '',
};

/** Labels and texts that stand behind each other are one list; the same label again is not repeated. */
function writeFacts(facts, writer) {
  const rows = facts.map((block, at) => {
    const { label } = block;
    const again = at > 0 && facts[at - 1].label === label;
    const term = again ? '' : `<dt>${label.startsWith('-') ? `<code>${escape(label)}</code>` : writer.text(label)}</dt>`;
    return `${term}<dd${idOf(block)}>${wordsOf(block, writer)}</dd>`;
  });
  return `<dl${deep(facts[0])}>${rows.join('')}</dl>`;
}

/** Blocks of `explain` as the body of a page, without its name, which the page has above. */
export function writeBlocks(blocks, writer) {
  const written = [];
  for (let at = 0; at < blocks.length; ) {
    let to = at;
    while (blocks[to]?.is === 'fact' && blocks[to].indent === blocks[at].indent) to += 1;
    if (to > at) written.push(writeFacts(blocks.slice(at, to), writer));
    else written.push(writers[blocks[at].is](blocks[at], writer));
    at = Math.max(to, at + 1);
  }
  return written.filter((one) => one !== '').join('\n');
}
