/** The site of docs/site.md. */
export interface Site {
  /** Where it stands, with a slash at its end. Without it no output names a page. */
  readonly url?: string;
}

/**
 * The site whose pages findings and `explain` name, and whose addresses are the ids of the JSON Schemas. A release that has a
 * site sets its URL here; a test holds the schemas and `homepage` of package.json to it.
 */
export const site: Site = {};

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

/** The address of what has this name; undefined where there is no site. */
export function pageUrl(kind: string, name: string, { url } = site): string | undefined {
  const { page, anchor } = placeOf(kind, name);
  return url === undefined ? undefined : `${url}${page}${anchor === '' ? '' : `#${anchor}`}`;
}

/** Letters, a number, and a letter at most: what else a result calls a rule has no page. */
const ruleId = /^[A-Z]{1,12}-\d{1,6}[a-z]?$/;

/** The page of a rule; undefined without a site, and where the id, which may come from a file, is none that a suite can have. */
export const ruleUrl = (id: string, at = site): string | undefined =>
  ruleId.test(id) ? pageUrl('rule', id, at) : undefined;

/** The `$id` of a JSON Schema, by the name of its file: its address in the site, or the name alone. */
export const schemaId = (file: string, { url } = site): string => (url === undefined ? file : `${url}schema/${file}`);
