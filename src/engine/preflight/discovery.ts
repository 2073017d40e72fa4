import { CarrierspecError } from '../../model/problem.ts';
import type { Target } from '../../model/target.ts';
import type { Sender } from '../../wire/send.ts';
import type { SkewMeter } from '../../wire/skew.ts';
import { contradictions, signs } from '../plan/check-target.ts';
import { type Discovered, discover } from '../discover.ts';
import { countOf, type Note, notesOf, type Whose } from './note.ts';

interface Failure {
  readonly matches: RegExp;
  readonly whose: Whose;
  readonly change: string;
}

/** By what discover says. */
const failures: readonly Failure[] = [
  {
    matches: /: unresolved/,
    whose: 'configuration',
    change: 'is the host of "discovery" spelt right? No name server knows it from here',
  },
  {
    matches: /: tls/,
    whose: 'configuration',
    change: 'name the authority of its certificate under "tls: { ca }", or our certificate where it asks for one',
  },
  { matches: /: (refused|timeout|reset)/, whose: 'network', change: 'is there a firewall or a "proxy" between?' },
  {
    // §1.8: who asks for an unknown carrier may be told where else to ask, with 200.
    matches: /HTTP [24]\d\d/,
    whose: 'configuration',
    change:
      'does it know the client_id of the first client and the mccmnc of the file, and is "discovery" its address?',
  },
];

function explain(message: string): Pick<Note, 'whose' | 'change'> {
  const found = failures.find(({ matches }) => matches.test(message));
  return found === undefined
    ? { whose: 'carrier', change: 'the carrier has to mend its discovery endpoint (§4.5)' }
    : { whose: found.whose, change: found.change };
}

export interface Asking {
  readonly sender: Sender;
  readonly skew: SkewMeter;
  readonly now: () => number;
}

/** Asks for the configuration; without it nothing else can be tried. */
export async function checkDiscovery(
  target: Target,
  asking: Asking,
): Promise<{ readonly notes: readonly Note[]; readonly found?: Discovered }> {
  try {
    const found = await discover(target, asking);
    const names = Object.keys(found.urls).filter((name) => name !== 'discovery');
    const source = found.configuration === undefined ? 'the target file' : 'discovery';
    const description = `${source} names the issuer ${found.issuer === '' ? '(none)' : found.issuer} and ${countOf(names.length, 'endpoint')}: ${names.join(', ')}`;
    return { notes: notesOf('discovery', [{ about: source, state: 'ok', description }]), found };
  } catch (error) {
    if (!(error instanceof CarrierspecError)) throw error;
    const about = target.discovery ?? '';
    const note = { about, state: 'problem', description: error.message, ...explain(error.message) } as const;
    return { notes: notesOf('discovery', [note]) };
  }
}

/** Features whose cases come to nothing where the file is silent and no endpoint is named. */
const withEndpoint = ['usertrait', 'cancel'];

/** The target file against what the carrier publishes. */
export function checkSupports(target: Target, { urls, configuration }: Discovered): readonly Note[] {
  const found = { target, urls, configuration };
  const wrong = contradictions(found).map((problem) => ({
    about: 'supports',
    state: 'problem' as const,
    whose: 'configuration' as const,
    description: problem.message,
    ...(problem.hint === undefined ? {} : { change: problem.hint }),
    place: problem,
  }));
  const silent = withEndpoint
    .filter((word) => target.supports[word] === undefined && urls[word] === undefined)
    .map((word) => ({
      about: 'supports',
      state: 'warning' as const,
      whose: 'configuration' as const,
      description: `there is not ${signs[word]?.description ?? word}, and the file does not say that the carrier has no ${word}: cases that need it will be inconclusive`,
      change: `write "supports: { ${word}: false }", or name it under "endpoints"`,
    }));
  const notes = [...wrong, ...silent];
  const fine = {
    about: 'supports',
    state: 'ok' as const,
    description: 'nothing contradicts what the carrier publishes',
  };
  return notesOf('supports', notes.length === 0 ? [fine] : notes);
}
