import type { CarrierHistory, ProfileLine, RuleLine } from '../../compare/history/lines.ts';
import { countOf, groupBy } from '../../lib/lists.ts';
import { valueText } from '../compare/prose.ts';
import { type Content, html, type Markup, nothing } from '../html/markup.ts';
import { factList, verdictMark } from '../html/parts.ts';
import { renderScore } from '../shared/run-prose.ts';
import { limitFigure } from './limit-figure.ts';
import { dayOf, kindWords, type ReportOf, titleOf, whenOf } from './names.ts';
import { box, legend, notSelected, pageText, ruleIn, section, shape } from './parts.ts';
import { isTurn } from '../../compare/history/turns.ts';
import { otherCasesOf, type ShownTurn, turnsOf } from './turns.ts';

interface Shown {
  readonly carrier: CarrierHistory;
  readonly reportOf: ReportOf;
}

const numberOf = (at: number): string => String(at + 1);

function runRows({ carrier, reportOf }: Shown): readonly Markup[] {
  const rows = carrier.runs.map((run, at) => {
    const report = reportOf(run);
    const when = report === undefined ? html`${whenOf(run)}` : html`<a href="${report}">${whenOf(run)}</a>`;
    const required = run.required === undefined ? '–' : renderScore(run.required);
    const notes = [
      ...(run.clock === 'virtual' ? ['on a virtual clock'] : []),
      ...(run.profile === undefined ? [] : [`profile ${run.profile}`]),
      ...run.notes,
    ].join('; ');
    return html`<tr><th scope="row">${numberOf(at)}</th><td>${when}</td><td>${run.headline}</td><td>${required}</td><td>${run.edition}</td><td>${run.tool}</td><td>${notes}</td></tr>\n`;
  });
  return rows.toReversed();
}

function renderRuns(shown: Shown): Content {
  const { older, runs } = shown.carrier;
  const heads = ['Run', 'Began', 'Outcome', 'Required rules', 'Edition', 'carrierspec', 'Notes'];
  const table = html`<table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${runRows(shown)}</tbody></table>`;
  const left = older === 0 ? nothing : html`<p class="quiet">${countOf(older, 'older run')} left out.</p>`;
  return section(`Runs: ${runs.length}`, [box('Runs', table), left]);
}

function turnItems(turns: readonly ShownTurn[], { carrier, reportOf }: Shown): readonly Markup[] {
  return turns.map(({ turn, marks, words }) => {
    const run = carrier.runs[turn.at];
    const before = carrier.runs[turn.before];
    const span =
      turn.at - turn.before > 1 ? `, of run ${numberOf(turn.before)}; those in between say nothing of it` : '';
    return html`<li>${ruleIn(turn.rule, run, reportOf)} <span class="level">${turn.level}</span> ${marks} in run ${numberOf(turn.at)} <span class="quiet">(${run === undefined ? '' : whenOf(run)}; before it ${before === undefined ? '' : whenOf(before)}${span}${words === '' ? '' : `; ${words}`})</span></li>\n`;
  });
}

function renderTurns(shown: Shown): Content {
  const turns = turnItems(turnsOf(shown.carrier), shown);
  const others = turnItems(otherCasesOf(shown.carrier), shown);
  return section(`What turned: ${turns.length}`, [
    turns.length === 0 ? html`<p>No rule has turned.</p>` : html`<ul class="turns">${turns}</ul>`,
    others.length === 0
      ? nothing
      : html`<details><summary>Other verdicts because other cases ran: ${others.length}</summary><ul class="turns">${others}</ul></details>`,
  ]);
}

/** Rules whose newest verdict is none although an earlier run judged them. */
function renderLost({ carrier }: Shown): Content {
  const lost = carrier.rules.filter(({ judgedLast }) => judgedLast !== undefined);
  if (lost.length === 0) return nothing;
  const items = lost.map(({ id, newest, judgedLast, cells }) => {
    const reason = cells[newest.at]?.reason;
    return html`<li><b>${id}</b> ${verdictMark(newest.verdict)} in run ${numberOf(newest.at)}${reason === undefined ? nothing : html`: ${reason}`}; ${judgedLast === undefined ? nothing : html`last judged in run ${numberOf(judgedLast.at)}: ${verdictMark(judgedLast.verdict)}`}</li>\n`;
  });
  return section(`Not judged any more: ${countOf(lost.length, 'rule')}`, [html`<ul class="turns">${items}</ul>`]);
}

function ruleRow({ id, level, description, cells, reworded, turns }: RuleLine): Markup {
  const turned = new Set(turns.filter(isTurn).map(({ at }) => at));
  const shown = cells.map((cell, at) => {
    if (cell === undefined) return html`<td>${notSelected}</td>`;
    return turned.has(at)
      ? html`<td class="differs">${shape(cell.verdict)}</td>`
      : html`<td>${shape(cell.verdict)}</td>`;
  });
  const words = reworded ? html` <span class="quiet">(its words have changed)</span>` : nothing;
  return html`<tr><th scope="row"><b>${id}</b> <span class="level">${level}</span>${words}<p class="rule-words">${description}</p></th>${shown}</tr>\n`;
}

function ruleTable(name: string, lines: readonly RuleLine[], { carrier }: Shown): Content {
  const heads = carrier.runs.map(
    (run, at) => html`<th scope="col">${numberOf(at)}<span class="unseen">, ${dayOf(run)}</span></th>`,
  );
  const groups = [...groupBy(lines, ({ area }) => area)].map(
    ([area, ofIt]) =>
      html`<tbody><tr><th class="area" scope="rowgroup" colspan="${carrier.runs.length + 1}">${area}</th></tr>${ofIt.map(ruleRow)}</tbody>`,
  );
  return box(
    name,
    html`<table class="matrix times"><thead><tr><th scope="col">Rule, by run</th>${heads}</tr></thead>${groups}</table>`,
  );
}

function renderRules(shown: Shown): Content {
  const { rules } = shown.carrier;
  const turned = rules.filter(({ turns, judgedLast }) => turns.some(isTurn) || judgedLast !== undefined);
  const rest = rules.filter((line) => !turned.includes(line));
  const verdicts = rules.flatMap(({ cells }) => cells.flatMap((cell) => (cell === undefined ? [] : cell.verdict)));
  return section('Verdicts over time', [
    legend(verdicts),
    turned.length === 0 ? nothing : ruleTable('Rules that turned', turned, shown),
    html`<details><summary>Rules that did not turn: ${rest.length}</summary>${rest.length === 0 ? nothing : ruleTable('Rules that did not turn', rest, shown)}</details>`,
  ]);
}

function renderLimits({ carrier }: Shown): Content {
  if (carrier.limits.length === 0) return nothing;
  return section('Measured limits', [
    html`<p class="quiet">The band is what the interface allows; the line through a point is its uncertainty.</p>`,
    html`<div class="figures">${carrier.limits.map((line) => limitFigure(line, carrier.runs))}</div>`,
  ]);
}

const profileName = ({ name, description }: ProfileLine): Markup =>
  html`<b>${name}</b><p class="rule-words">${description}</p>`;

function renderProfile({ carrier }: Shown): Content {
  const { profile } = carrier;
  if (profile.length === 0) return nothing;
  const changes = profile.flatMap((line) =>
    line.changes.map(
      ({ at, from, to }) =>
        html`<tr><th scope="row">${profileName(line)}</th><td>${numberOf(at)}</td><td><code>${valueText(from)}</code></td><td class="differs"><code>${valueText(to)}</code></td></tr>\n`,
    ),
  );
  const values = profile.map((line) => {
    const { newest } = line;
    const cells =
      newest === undefined
        ? html`<td>–</td><td>no run has seen it</td>`
        : html`<td>${numberOf(newest.at)}</td><td><code>${valueText(newest.value)}</code></td>`;
    return html`<tr><th scope="row">${profileName(line)}</th>${cells}</tr>\n`;
  });
  const heads = (names: readonly string[]): Content => names.map((name) => html`<th scope="col">${name}</th>`);
  return section('Profile: what the interface leaves open', [
    changes.length === 0
      ? html`<p>Nothing has changed.</p>`
      : box(
          'Changes of the profile',
          html`<table><thead><tr>${heads(['Behaviour', 'In run', 'Before', 'Since then'])}</tr></thead><tbody>${changes}</tbody></table>`,
        ),
    html`<details><summary>As it is: ${countOf(profile.length, 'behaviour')}</summary>${box('The profile', html`<table><thead><tr>${heads(['Behaviour', 'Seen in run', 'Value'])}</tr></thead><tbody>${values}</tbody></table>`)}</details>`,
  ]);
}

/** What is said above the history of one carrier. */
function renderHead({ carrier }: Shown): Markup {
  const { name, otherNames, issuer, interface: of } = carrier;
  const words = kindWords(carrier);
  const facts = factList([
    ['issuer', issuer],
    ['interface', of],
    ['also named', otherNames.length === 0 ? undefined : otherNames.join(', ')],
  ]);
  const kind = words === '' ? nothing : html`<p class="note">This is ${words}.</p>`;
  return html`<p><a href="index.html">All carriers</a></p><h1>${name}</h1>${kind}${facts}`;
}

/** The page of one carrier: its runs, what turned, its limits and its profile over time. */
export function renderCarrier(carrier: CarrierHistory, reportOf: ReportOf): string {
  const shown = { carrier, reportOf };
  return pageText({
    title: titleOf(carrier),
    head: renderHead(shown),
    main: [
      renderRuns(shown),
      renderTurns(shown),
      renderLost(shown),
      renderRules(shown),
      renderLimits(shown),
      renderProfile(shown),
    ],
  });
}
