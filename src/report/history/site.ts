import type { History } from '../../compare/history/lines.ts';
import { renderCarrier } from './carrier-page.ts';
import { renderIndex } from './index-page.ts';
import { renderHistoryJson } from './json.ts';
import { carrierPage, type ReportOf } from './names.ts';

/** A file of the site. */
export interface SiteFile {
  /** Below the folder of the site. */
  readonly path: string;
  readonly chunks: Iterable<string>;
}

/** The site, a file at a time: the first page, a page for each carrier, and the same by machine. */
export function* renderSite(history: History, reportOf: ReportOf): Iterable<SiteFile> {
  yield { path: 'index.html', chunks: [renderIndex(history, reportOf)] };
  for (const carrier of history.carriers) {
    yield { path: carrierPage(carrier.id), chunks: [renderCarrier(carrier, reportOf)] };
  }
  yield { path: 'history.json', chunks: renderHistoryJson(history) };
}
