import type { Finding } from '../../model/finding.ts';
import type { CaseResult } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { findingFacts } from '../shared/facts.ts';
import { renderFinding } from '../shared/prose.ts';
import { caseAnchor, messageAnchor, ruleAnchor } from './anchors.ts';
import { html, type Markup, nothing } from './markup.ts';
import { commandLine } from './words.ts';

/** A finding, the case it was seen in, and what a command that runs it again repeats. */
export interface Exhibit {
  readonly finding: Finding;
  readonly seenIn?: CaseResult;
  readonly flags: readonly string[];
}

/** `came back` as `Came back`; the command is what a reader comes for. */
const nameOf = (label: string): string =>
  label === 'run again' ? 'See it again' : `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`;

/** A link to the case, and to the message in it, that a finding is about. */
export function caseLink(id: string, message: string | undefined, text: string = id): Markup {
  const at = message === undefined ? nothing : html` data-at="${messageAnchor(message)}"`;
  return html`<a href="#${caseAnchor(id)}"${at}>${text}</a>`;
}

/** All evidence of one finding as a list of labelled facts. */
export function renderEvidence({ finding, seenIn, flags }: Exhibit): Markup {
  const facts = findingFacts(seenIn === undefined ? { finding } : { finding, seenIn }, flags);
  const caseId = seenIn?.id ?? finding.seenIn;
  return html`<dl class="facts evidence">${facts.map(({ label, text }) => {
    const name = nameOf(label);
    const value = label === 'run again' && caseId !== undefined ? commandLine(caseId, flags) : html`${text}`;
    return html`<div class="fact-${label.replaceAll(' ', '-')}"><dt>${name}</dt><dd>${value}</dd></div>`;
  })}</dl>`;
}

/** One finding of a case: its rule, one sentence, the evidence. */
export function renderFindingOf(exhibit: Exhibit): Markup {
  const { finding } = exhibit;
  const tone = finding.level === 'required' ? 'fail' : finding.level === 'recommended' ? 'warn' : 'informational';
  return html`<div class="finding t-${tone}"><p><a href="#${ruleAnchor(finding.rule)}">${renderRuleRef(finding)}</a> <span class="level">${finding.level}</span> ${renderFinding(finding).summary}</p>${renderEvidence(exhibit)}</div>`;
}
