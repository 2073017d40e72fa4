import { CarrierspecError } from '../../model/problem.ts';
import type { Target } from '../../model/target.ts';
import type { Skew } from '../../wire/skew.ts';
import { contradictions, signs } from '../plan/check-target.ts';
import { type Asking, type Discovered, discover } from '../discover.ts';
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

/** Milliseconds; what NTP leaves is far below. */
const noteworthy = 5000;

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Requests are dated by the carrier's clock, so a small difference does no harm. */
export function checkClock({ clock }: Pick<Target, 'clock'>, skew: Skew | undefined): readonly Note[] {
  const about = 'clock';
  if (clock !== undefined) {
    const description = 'the carrier’s clock is driven: such a run cannot certify a production carrier';
    return notesOf('clock', [{ about, state: 'ok', description }]);
  }
  if (skew === undefined) {
    const description = 'no Date header has told the carrier’s time yet';
    return notesOf('clock', [{ about, state: 'skipped', description }]);
  }
  const off = Math.abs(skew.offset);
  const description = `the carrier’s clock is ${inSeconds(off)} ${skew.offset < 0 ? 'behind' : 'ahead of'} ours (± ${inSeconds(skew.uncertainty)})`;
  // A Date header has whole seconds: what is within the uncertainty is no difference.
  if (off <= noteworthy + skew.uncertainty) return notesOf('clock', [{ about, state: 'ok', description }]);
  const change = 'compare both with a time server: the one that is off is to be set';
  return notesOf('clock', [{ about, state: 'warning', whose: 'configuration', description, change }]);
}
