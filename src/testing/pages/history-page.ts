import type { History, HistoryEntry } from '../../compare/history/history-model.ts';
import type { Result } from '../../model/result.ts';
import { renderHistoryJson } from '../../report/history/text.ts';
import { renderHistory } from '../../report/history/page.ts';

/** Page of a history in which every run has a report. */
export const historyPage = (history: History): string =>
  renderHistory(history, ({ startedAt }) => `runs/${Date.parse(startedAt)}/report.html`);

export const historyOutputs = (history: History): readonly [page: string, json: string] => [
  historyPage(history),
  [...renderHistoryJson(history)].join(''),
];

const historyEntry = ({ header, footer, rules }: Result, file: string): HistoryEntry => ({
  file,
  header,
  rules,
  ...(footer === undefined ? {} : { footer }),
});

/**
 * The same result as runs of two carriers over some months: rules change, one is no longer judged, one run was cut off, and
 * the second carrier has injected faults.
 */
export function buildMonths(result: Result, months = 4): readonly HistoryEntry[] {
  return Array.from({ length: months }, (_, at) => at + 1).flatMap((month) => {
    const { header, rules } = result;
    const startedAt = `2026-${String(month).padStart(2, '0')}-01T00:00:00.000Z`;
    const turned = rules.map((rule, at) => (at % 3 === 0 && month > 2 ? { ...rule, verdict: 'fail' as const } : rule));
    const lost = turned.map((rule, at) =>
      at === 1 && month === months ? { ...rule, verdict: 'not-run' as const } : rule,
    );
    const own: Result = {
      ...result,
      header: { ...header, startedAt, run: `${header.run}-${month}`, flags: ['--target', 'carrier.yaml'] },
      rules: lost,
    };
    const faulty: Result = { ...own, header: { ...own.header, flags: ['--fault', 'iat-not-checked'] }, rules };
    const { footer: _, ...cut } = own;
    return [
      historyEntry(month === 2 ? cut : own, `${month}/result.json`),
      historyEntry(faulty, `${month}-faulty/result.json`),
    ];
  });
}
