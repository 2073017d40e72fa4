import type { Result } from '../../model/result.ts';
import { collect } from '../shared/collect.ts';
import { createPage } from '../shared/layout.ts';
import { renderEnd } from './end.ts';
import { renderFailures, renderWarnings } from './findings.ts';
import { renderAreas, renderHead } from './head.ts';
import {
  renderAttested,
  renderExpected,
  renderLimits,
  renderRecorded,
  renderStopped,
  renderUnjudged,
  renderUnsolicited,
} from './sections.ts';

/** The final report as plain lines: what was run first, the failures and the outcome last, where a reader looks first. */
export function renderTerminal(result: Result, options: { readonly colour: boolean; readonly width: number }): string {
  const page = createPage(options, result.header.flags);
  const { failures, warnings, stopped, unjudged } = collect(result);
  const rules = new Map(result.rules.map((rule) => [rule.id, rule]));
  const lines = [
    ...renderHead(page, result.header),
    ...(result.footer === undefined ? [] : renderAreas(page, result.footer)),
    ...renderRecorded(page, result.rules),
    ...(result.footer === undefined ? [] : renderLimits(page, result.footer)),
    ...renderAttested(page, result.rules),
    ...renderUnjudged(page, unjudged),
    ...renderWarnings(page, warnings, rules),
    ...renderUnsolicited(page, result.unsolicited),
    ...renderStopped(page, stopped),
    ...renderFailures(page, failures, rules),
    ...renderExpected(page, result),
    ...renderEnd(page, result),
  ];
  return `${lines.join('\n')}\n`;
}
