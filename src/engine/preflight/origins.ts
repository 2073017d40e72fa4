import type { Target } from '../../model/target.ts';
import type { Endpoints, RefusedEndpoint } from '../context/case-context.ts';
import { describeRefused } from '../context/endpoints.ts';
import { type Found, type Note, notesOf, problem, warning } from './note.ts';

/** The line of the target file with all origins that discovery names, in YAML. */
const lineWith = (origins: readonly string[]): string =>
  `origins: [${[...new Set(origins)].map((one) => JSON.stringify(one)).join(', ')}]`;

function changeFor({ origin }: RefusedEndpoint, line: string, { file }: Target): string {
  if (origin === undefined) return 'the carrier has to publish an https URL, without a user or a password';
  return `if the carrier is there as well, write in ${file}: ${line}`;
}

/** Endpoints where nothing is sent, because they are on another site and the target file does not list their origins. */
export function checkOrigins({ refused = {} }: Endpoints, target: Target, requestEndpoint: string): readonly Note[] {
  const all = Object.entries(refused);
  const line = lineWith([...(target.origins ?? []), ...all.flatMap(([, { origin }]) => origin ?? [])]);
  const notes = all.map(([name, one]): Found => {
    const description = `${describeRefused(one)}: nothing is sent there, and cases that need it will be inconclusive`;
    const whose = one.origin === undefined ? 'carrier' : 'configuration';
    const trouble = { whose, description, change: changeFor(one, line, target) } as const;
    return name === requestEndpoint ? problem(name, trouble) : warning(name, trouble);
  });
  return notesOf('origins', notes);
}
