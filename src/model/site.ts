/**
 * Where the site stands (docs/site.md): the pages that findings and `explain --open` name, and the ids of the JSON Schemas. It
 * is set here at a release, and ends with a slash; a test holds the schemas and `homepage` of package.json to it.
 */
export const siteUrl = 'https://carrierspec.example/';

/** What could mean something in a path or a fragment is written as `~hex`; a clause has no sign before it. */
export const encodeName = (name: string): string =>
  name.replace(/^§/, '').replace(/[^\w.-]/gu, (character) => `~${(character.codePointAt(0) ?? 0).toString(16)}`);

/** Where something stands in the site: its page, and its place on that. */
export interface Place {
  /** `rule/REQ-007.html` */
  readonly page: string;
  /** `near-miss` of `REQ-007#near-miss`, `4m-old` of `iat-young/4m-old`; empty for the whole page. */
  readonly anchor: string;
}

/** The place of a name of some kind, as `list --kind` has both; whatever the name, it is below the folder of its kind. */
export function placeOf(kind: string, name: string): Place {
  const [, whole = name, part = ''] = /^([^/#]+)[/#](.+)$/s.exec(name) ?? [];
  return { page: `${encodeName(kind)}/${encodeName(whole)}.html`, anchor: encodeName(part) };
}

/** The address of what has this name. */
export function pageUrl(kind: string, name: string): string {
  const { page, anchor } = placeOf(kind, name);
  return `${siteUrl}${page}${anchor === '' ? '' : `#${anchor}`}`;
}

/** Letters, a number, and a letter at most: what else a result calls a rule has no page. */
const ruleId = /^[A-Z]{1,12}-\d{1,6}[a-z]?$/;

/** The page of a rule; undefined where the id, which may come from a file, is none that a suite can have. */
export const ruleUrl = (id: string): string | undefined => (ruleId.test(id) ? pageUrl('rule', id) : undefined);

/** The `$id` of a JSON Schema, by the name of its file. */
export const schemaUrl = (file: string): string => `${siteUrl}schema/${file}`;
