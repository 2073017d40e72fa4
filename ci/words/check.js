// Finds words and turns of phrase that a reader has to read twice: in comments, messages, suites and docs. Paths on the command line
// narrow it. The words are those of "Plain English" in CONTRIBUTING.md.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Words for which there is always a plainer one. */
const heavy =
  /(?<![\w-])(?:nobody|somebody|anybody|whoever|whom|whomever|of which|for want of|(?:be|is|are|was|were) told|(?:come|comes|came|become|becomes|became) of)(?![\w-])/gi;

/** The beginning of a sentence that names its subject late; a question may begin so. */
const late = /(?<=^\s*|[.:;]\s+)(?:What|Who|Whose|Where|Those|Of|By|As)\b(?=[^?]*?(?:[.;]\s|$))/g;

/** A title that does not begin with its subject, or that has a second sentence. */
const loose =
  /^['"]?(?:With|Without|After|Before|On|If|When|While|For|From|Until|During|In|Once|To|Whatever|However|Although|Right after)\b|;/g;

/** A doc comment that begins with a pronoun in the place of the thing it is about. */
const nameless = /(?<=^[\s*]*)(?:Whether|If) (?:it|they)\b/g;

/** Every string, template and regular expression of a module. */
function* literals(node) {
  if (Array.isArray(node)) for (const item of node) yield* literals(item);
  else if (typeof node === 'object' && node !== null) {
    if (node.type === 'TemplateElement' || (node.type === 'Literal' && (typeof node.value === 'string' || node.regex))) yield node;
    for (const member of Object.values(node)) yield* literals(member);
  }
}

/** The text with each character of a match blanked but line breaks, so that places stay. */
const blanked = (text, pattern) => text.replace(pattern, (match) => match.replace(/[^\n]/g, ' '));

/** Comments of a module, and its strings of three words or more: each is a text that starts at an offset. */
function* passagesOfModule(text, file) {
  const strings = [...literals(parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' }, file))];
  let code = text;
  for (const { start, end } of strings) code = code.slice(0, start) + ' '.repeat(end - start) + code.slice(end);
  for (const { 0: comment, index } of code.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g)) {
    const text = blanked(comment, /^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm);
    yield { start: index, text, patterns: comment.startsWith('/**') ? [heavy, late, nameless] : [heavy, late] };
  }
  if (/\.test\.ts$|(?:^|\/)testing\//.test(file)) return;
  for (const { start, end, regex } of strings) {
    const string = ` ${text.slice(start + 1, end)}`;
    if (!regex && / \S+ /.test(string)) yield { start, text: string, patterns: sentence.test(string) ? [heavy, late] : [heavy] };
  }
}

/** A string that is one whole sentence or more, from a capital to a full stop. */
const sentence = /^ [A-Z][^]*\.['"`]$/;

/** A page without its code, headings and tables. */
function* passagesOfPage(text) {
  const prose = blanked(blanked(text, /^```[\s\S]*?^```|<!--[\s\S]*?-->/gm), /`[^`\n]*`|^[#|].*$/gm);
  for (const { 0: paragraph, index } of prose.matchAll(/(?:^[^\n]*\S[^\n]*\n?)+/gm)) {
    yield { start: index, text: blanked(paragraph, /^\s*(?:[-*]|\d+\.)\s/gm), patterns: [heavy, late] };
  }
}

/** Prose of suites; `text` and `quote` of rules are the interface's own words. Only a title begins with its subject. */
function* passagesOfData(text) {
  yield { start: 0, text: blanked(text, /^\s*(?:- )?(?:text|quote|clause): (?:[>|]-?\n(?:\s{4,}.*\n)+|.*$)/gm), patterns: [heavy] };
  for (const { 0: title, index } of text.matchAll(/(?<=^\s*(?:- )?title: ).*$/gm)) yield { start: index, text: title, patterns: [heavy, late, loose] };
}

const said = new Map([
  [heavy, (found) => `"${found}"`],
  [late, (found) => `a sentence begins with "${found}"`],
  [loose, (found) => (found === ';' ? 'a title is two sentences' : `a title begins with "${found}", not with its subject`)],
  [nameless, (found) => `a comment begins with "${found}": name the thing`],
]);

const kinds = [
  { folders: ['src', 'bin', 'reports/html', 'docs', 'ci', 'bench'], ending: /\.[jt]s$/, passages: passagesOfModule },
  { folders: ['.'], ending: /^vitest\.config\.ts$/, passages: passagesOfModule },
  { folders: ['.', 'docs'], ending: /\.md$/, passages: passagesOfPage },
  { folders: ['suites', 'fixtures/space'], ending: /\.yaml$/, passages: passagesOfData },
];

const filesOf = ({ folders, ending }) =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== '.' })
      .map((name) => join(folder, name))
      .filter((name) => ending.test(name) && !/node_modules|^ci\/words\/|^CHANGELOG|\/interface\.md$/.test(name)),
  );

function* findings(kind, file) {
  const text = readFileSync(join(root, file), 'utf8');
  for (const passage of kind.passages(text, file)) {
    for (const pattern of passage.patterns) {
      for (const { 0: found, index } of passage.text.matchAll(pattern)) {
        const line = text.slice(0, passage.start + index).split('\n').length;
        yield `${file}:${line}: ${said.get(pattern)(found.trim())}`;
      }
    }
  }
}

const narrowed = process.argv.slice(2);
const found = kinds.flatMap((kind) =>
  filesOf(kind)
    .filter((file) => narrowed.length === 0 || narrowed.some((path) => file.startsWith(path)))
    .flatMap((file) => [...findings(kind, file)]),
);
for (const line of found) console.log(line);
console.log(`words: ${found.length} to say more plainly`);
process.exitCode = found.length > 0 ? 1 : 0;
