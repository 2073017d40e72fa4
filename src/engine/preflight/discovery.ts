import { countOf } from '../../lib/lists.ts';
import { defined } from '../../lib/optional.ts';
import type { Interface } from '../../model/interface.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Target } from '../../model/target.ts';
import { isOff, type Skew } from '../../wire/send/skew.ts';
import { namedUrls } from '../context/endpoints.ts';
import { type Asking, type Discovered, discover } from '../discover.ts';
import { contradictions } from '../plan/check-target.ts';
import { type Advice, adviceFor, type Found, type Note, notesOf, ok, problem, skipped, warning } from './note.ts';

/** By the message of `discover`. */
const failures: readonly Advice[] = [
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
  {
    matches: /: refused/,
    whose: 'network',
    change: 'nobody listens there: is the carrier up, is the port right, and is there a firewall or a "proxy" between?',
  },
  { matches: /: (timeout|reset)/, whose: 'network', change: 'is there a firewall or a "proxy" between?' },
  {
    // A client that asks for an unknown carrier may be redirected, with 200.
    matches: /HTTP [24]\d\d/,
    whose: 'configuration',
    change:
      'does it know the client_id of the first client and the mccmnc of the file, and is "discovery" its address?',
  },
];

const broken = { whose: 'carrier', change: 'the carrier has to fix its discovery endpoint' } as const;

/** It stands at the URL of another endpoint, because the target file names no other. */
function isShared(name: string, found: Discovered, { interface: { endpoints } }: Asking): boolean {
  const { elseAs } = endpoints[name] ?? {};
  const urls = namedUrls(found);
  return elseAs !== undefined && urls[name] === urls[elseAs];
}

/** Asks for the configuration; without it nothing else can be tried. */
export async function checkDiscovery(
  target: Target,
  asking: Asking,
): Promise<{ readonly notes: readonly Note[]; readonly found?: Discovered }> {
  try {
    const found = await discover(target, asking);
    const names = Object.keys(namedUrls(found)).filter(
      (name) => name !== 'discovery' && !isShared(name, found, asking),
    );
    const source = found.configuration === undefined ? 'the target file' : 'discovery';
    const issuer = found.issuer === '' ? '(none)' : found.issuer;
    const description = `${source} names the issuer ${issuer} and ${countOf(names.length, 'endpoint')}: ${names.join(', ')}`;
    return { notes: notesOf('discovery', [ok(source, description)]), found };
  } catch (error) {
    if (!(error instanceof CarrierspecError)) throw error;
    const { message } = error;
    const trouble = { description: message, ...adviceFor(message, failures, broken) };
    return { notes: notesOf('discovery', [problem(target.discovery ?? '', trouble)]) };
  }
}

/** The target file against what the carrier publishes. */
export function checkSupports(target: Target, found: Discovered, certified: Interface): readonly Note[] {
  const { configuration } = found;
  const urls = namedUrls(found);
  const { endpoints, featureSigns } = certified;
  const wrong = contradictions(target, { urls, configuration }, certified).map((place): Found => {
    const { message: description, hint } = place;
    return {
      about: 'supports',
      state: 'problem',
      whose: 'configuration',
      description,
      ...defined({ change: hint }),
      place,
    };
  });
  // Cases of a feature are inconclusive where the file is silent and the endpoint of its name is not known.
  const silent = Object.keys(featureSigns)
    .filter((word) => word !== 'discovery' && Object.hasOwn(endpoints, word))
    .filter((word) => target.supports[word] === undefined && urls[word] === undefined)
    .map((word) =>
      warning('supports', {
        whose: 'configuration',
        description: `there is not ${featureSigns[word]?.description ?? word}, and the file does not say that the carrier has no ${word}: cases that need it will be inconclusive`,
        change: `write "supports: { ${word}: false }", or name it under "endpoints"`,
      }),
    );
  const notes = [...wrong, ...silent];
  const fine = ok('supports', 'nothing contradicts what the carrier publishes');
  return notesOf('supports', notes.length === 0 ? [fine] : notes);
}

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Requests are dated by the carrier's clock, so a small difference does no harm. */
export function checkClock({ clock }: Pick<Target, 'clock'>, skew: Skew | undefined, doubt?: string): readonly Note[] {
  const note = (found: Found): readonly Note[] => notesOf('clock', [found]);
  if (clock !== undefined) {
    return note(ok('clock', 'the carrier has a virtual clock: such a run cannot certify a production carrier'));
  }
  if (skew === undefined && doubt !== undefined) {
    const description = `the carrier sends ${doubt}: it is not believed, and requests are dated by our clock`;
    return note(
      warning('clock', { whose: 'carrier', description, change: 'the carrier has to set the clock of its servers' }),
    );
  }
  if (skew === undefined) return note(skipped('clock', 'no Date header has shown the carrier’s time yet'));
  const description = `the carrier’s clock is ${inSeconds(Math.abs(skew.offset))} ${skew.offset < 0 ? 'behind' : 'ahead of'} ours (± ${inSeconds(skew.uncertainty)})`;
  // A Date header has whole seconds: what is within the uncertainty is no difference.
  if (!isOff(skew)) return note(ok('clock', description));
  const change = 'compare both with a time server: the one that is off is to be set';
  return note(warning('clock', { whose: 'configuration', description, change }));
}
