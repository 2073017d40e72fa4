import type { RuleResult } from '../../model/result.ts';
import { levels } from '../../model/rule.ts';
import { countVerdicts } from '../shared/run-prose.ts';
import { factList } from './parts.ts';
import { html, type Markup } from './markup.ts';
import { countOf } from '../../lib/lists.ts';

interface Choice {
  readonly value: string;
  readonly count: number;
}

function renderChoices(name: string, legend: string, choices: readonly Choice[]): Markup {
  const boxes = choices.map(({ value, count }) => {
    const tone = name === 'verdict' ? ` v v-${value}` : '';
    return html`<label class="chip"><input type="checkbox" name="${name}" value="${value}"><span class="chip-text${tone}">${value} <span class="count">${count}</span></span></label>`;
  });
  return html`<fieldset><legend>${legend}</legend>${boxes}</fieldset>`;
}

/** Search and filters; hidden until the page's script runs, which applies them. */
export function renderToolbar(rules: readonly RuleResult[]): Markup {
  const count = (key: 'level' | 'area', value: string): number => rules.filter((rule) => rule[key] === value).length;
  const verdicts = countVerdicts(rules).map(([value, number]) => ({ value, count: number }));
  const ofLevels = levels
    .map((value) => ({ value, count: count('level', value) }))
    .filter((choice) => choice.count > 0);
  const areas = [...new Set(rules.map(({ area }) => area))].map((value) => ({ value, count: count('area', value) }));
  return html`<form class="toolbar" role="search" id="filters" aria-label="Rules" hidden><div class="find"><label for="q">Search</label><input type="search" id="q" name="q" autocomplete="off" spellcheck="false" placeholder="id, statement, case, value"><label class="chip"><input type="checkbox" name="in" value="exchanges"><span class="chip-text">also in exchanges</span></label><output id="shown" for="q">${countOf(rules.length, 'rule')}</output><button type="button" id="clear">Clear</button><button type="button" id="keys-open" aria-haspopup="dialog">Keys</button></div><details class="narrow"><summary>Filters</summary>${renderChoices('verdict', 'Verdict', verdicts)}${renderChoices('level', 'Level', ofLevels)}${renderChoices('area', 'Area', areas)}</details></form>`;
}

const keys: readonly (readonly [key: string, action: string])[] = [
  ['/', 'search'],
  ['j', 'next rule'],
  ['k', 'rule before'],
  ['n', 'next rule that failed or warned'],
  ['o', 'open or close the rule in focus'],
  ['c', 'clear search and filters'],
  ['?', 'this list'],
  ['Esc', 'leave the search, close this list'],
];

/** The keys, and the switch that turns them off (WCAG 2.1.4). */
export const keysDialog: Markup = html`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>${factList(keys.map(([key, action]) => [html`<kbd>${key}</kbd>`, action]))}<p><label><input type="checkbox" id="keys-on" checked> single keys are on</label></p><form method="dialog"><button>Close</button></form></dialog>`;
