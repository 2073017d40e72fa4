import { forHtml } from '../shared/sanitize.ts';
import { createHash } from 'node:crypto';
import type { RuleResult } from '../../model/result.ts';
import { renderRuleRef, type RuleRef } from '../../model/rule.ts';

/** Markup of ours. Only `html` makes it from text, and escapes every text put into it. */
export interface Markup {
  readonly markup: string;
}

export type HtmlContent = Piece<Markup>;

/** Value that the templates of a tag accept. */
export type Piece<N> = N | string | number | readonly Piece<N>[];

/** Template tag for views that Node and the browser share: `html` makes text in Node, nodes in the browser. */
export type Tag<N> = (strings: TemplateStringsArray, ...values: readonly Piece<N>[]) => N;

export const nothing: Markup = { markup: '' };

function render(content: HtmlContent): string {
  if (typeof content === 'string') return forHtml(content);
  if (typeof content === 'number') return String(content);
  return 'markup' in content ? content.markup : content.map(render).join('');
}

/** Makes HTML: the template is markup, every text put into it is escaped. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlContent[]): Markup {
  return { markup: strings.map((part, index) => part + render(values[index] ?? '')).join('') };
}

export const joinContent = (parts: readonly HtmlContent[], separator: HtmlContent): readonly HtmlContent[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));

const maxAnchor = 160;

/** Encodes a name for an element's id and a fragment; characters with a meaning there become `~hex`. */
function encodeAnchor(name: string): string {
  const text = name.replace(/[^\w./-]/gu, (character) => `~${(character.codePointAt(0) ?? 0).toString(16)}`);
  return text.length <= maxAnchor ? text : `${text.slice(0, 40)}~${createHash('sha256').update(text).digest('hex')}`;
}

export const ruleAnchor = (id: string): string => encodeAnchor(id);
export const caseAnchor = (id: string): string => `case-${encodeAnchor(id)}`;
export const invariantAnchor = (id: string): string => `invariant-${encodeAnchor(id)}`;
export const limitAnchor = (name: string): string => `limit-${encodeAnchor(name)}`;
export const sectionAnchor = (id: string): string => `section-${encodeAnchor(id)}`;

/** Anchor of a message within its case: `x2` for `jti-repeated#x2`. */
export const messageAnchor = (id: string): string => encodeAnchor(id.slice(id.lastIndexOf('#') + 1));

export const ruleLink = (ref: RuleRef): Markup => html`<a href="#${ruleAnchor(ref.rule)}">${renderRuleRef(ref)}</a>`;

export const invariantLink = (id: string): Markup => html`<a href="#${invariantAnchor(id)}">${id}</a>`;

export function caseLink(id: string, message?: string): Markup {
  const at = message === undefined ? nothing : html` data-at="${messageAnchor(message)}"`;
  return html`<a href="#${caseAnchor(id)}"${at}>${id}</a>`;
}

/** Links to names in the page; a name that the page does not have stays text. */
export interface Links {
  readonly toRules: (refs: readonly RuleRef[]) => HtmlContent;
  /** Takes the id of a case or an invariant. */
  readonly toCase: (id: string) => HtmlContent;
}

interface IdHolder {
  readonly id: string;
}

export function createLinks(
  rules: readonly RuleResult[],
  { cases, invariantsOf }: { cases: readonly IdHolder[]; invariantsOf: ReadonlyMap<string, readonly IdHolder[]> },
): Links {
  const ruleIds = new Set(rules.map(({ id }) => id));
  const caseIds = new Set(cases.map(({ id }) => id));
  const invariantIds = new Set([...invariantsOf.values()].flatMap((list) => list.map(({ id }) => id)));
  const toRule = (ref: RuleRef): HtmlContent => (ruleIds.has(ref.rule) ? ruleLink(ref) : renderRuleRef(ref));
  return {
    toRules: (refs) => joinContent(refs.map(toRule), ', '),
    toCase: (id) => {
      if (caseIds.has(id)) return caseLink(id);
      return invariantIds.has(id) ? invariantLink(id) : id;
    },
  };
}
