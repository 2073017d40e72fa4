import { statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { History, HistoryRun } from '../../compare/history/lines.ts';
import { knownInterfaces } from '../../interfaces/registry.ts';
import { readResult } from '../../journal/read-result.ts';
import { type ReportOf, reportPage } from '../../report/history/names.ts';

interface Writing {
  readonly how: 'copy' | 'link' | 'none';
  /** The folder of the site. */
  readonly out: string;
  readonly write: (path: string, chunks: Iterable<string>) => void;
}

/** The report that the run left beside its result, as a path from the site; undefined where there is none. */
function linkTo({ file }: HistoryRun, out: string): string | undefined {
  const path = join(dirname(file), 'report.html');
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return relative(out, path).split(sep).map(encodeURIComponent).join('/');
}

/**
 * Makes the reports that the pages lead to. `copy` makes each anew from its result: a file that stands beside a result may be
 * anything, and a site that is published runs only what is ours.
 */
export async function writeRunReports(history: History, { how, out, write }: Writing): Promise<ReportOf> {
  if (how === 'none') return () => undefined;
  if (how === 'link') return (run) => linkTo(run, out);
  const { renderHtml } = await import('../../report/html/render.ts');
  for (const { id, file } of history.carriers.flatMap(({ runs }) => runs)) {
    write(reportPage(id), renderHtml(readResult(file).result, knownInterfaces));
  }
  return ({ id }) => reportPage(id);
}
