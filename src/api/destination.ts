import type { Stream } from '../cli/shared/invocation.ts';
import { openPlace, type Place } from '../cli/shared/kept.ts';
import { parseReports, parseWanted, renderFormat, type WantedReport, writeWanted } from '../cli/shared/reports.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { Result } from '../model/result.ts';
import type { CertifyOptions } from './options.ts';

/** Where a run is kept while it lasts, and the reports that are made of it. */
export interface Destination {
  readonly place: Place;
  readonly reports: readonly WantedReport[];
  readonly write: (result: Result) => Promise<void>;
  readonly close: () => void;
}

function wantedReports({ out, reports = {} }: CertifyOptions): readonly WantedReport[] {
  const given = Object.entries(reports).map(([format, path]) => `${format}=${path}`);
  const wanted = out === undefined ? parseWanted(given, []) : parseReports(given, out);
  const stdout = wanted.find(({ path }) => path === '-');
  if (stdout === undefined) return wanted;
  throw new CarrierspecError(`reports: ${stdout.format} needs a path: nothing is written to stdout`, {
    code: 'bad-flag',
  });
}

/** Takes the folder of a run. Throws where another run writes into it, or where a report has no path or no such format. */
export function openDestination(folder: string, options: CertifyOptions, stderr: Stream): Destination {
  const reports = wantedReports(options);
  const place = { folder };
  const opened = openPlace(place, { argv: ['certify()'], stderr });
  return {
    place,
    reports,
    // No report goes to stdout.
    write: (result) => writeWanted(reports, renderFormat(result), stderr),
    close: opened.close,
  };
}
