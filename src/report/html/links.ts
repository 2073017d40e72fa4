import type { RuleResult } from '../../model/result.ts';
import { renderRuleRef, type RuleRef } from '../../model/rule.ts';
import { caseAnchor, invariantAnchor, ruleAnchor } from './anchors.ts';
import { type Content, html, join } from './markup.ts';
import type { Survey } from './case-index.ts';

/** Names of the page as links to where they are told; a name that the page does not have stays a text. */
export interface Links {
  readonly toRules: (refs: readonly RuleRef[]) => Content;
  /** By the id of a case or of an invariant. */
  readonly toCase: (id: string) => Content;
}

export function linksOf(rules: readonly RuleResult[], { cases, invariantsOf }: Survey): Links {
  const ruleIds = new Set(rules.map(({ id }) => id));
  const caseIds = new Set(cases.map(({ id }) => id));
  const invariantIds = new Set([...invariantsOf.values()].flatMap((list) => list.map(({ id }) => id)));
  const toRule = (ref: RuleRef): Content =>
    ruleIds.has(ref.rule) ? html`<a href="#${ruleAnchor(ref.rule)}">${renderRuleRef(ref)}</a>` : renderRuleRef(ref);
  return {
    toRules: (refs) => join(refs.map(toRule), ', '),
    toCase: (id) => {
      if (caseIds.has(id)) return html`<a href="#${caseAnchor(id)}">${id}</a>`;
      return invariantIds.has(id) ? html`<a href="#${invariantAnchor(id)}">${id}</a>` : id;
    },
  };
}
