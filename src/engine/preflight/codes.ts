import type { Target } from '../../model/target.ts';
import { type Asking, findEndpoints, type Discovered, listedAlgorithms } from '../discover.ts';
import { namedUrls } from '../context/endpoints.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { type Found, type Note, notesOf, ok, problem, skipped, warning } from './note.ts';

/** The configuration for a carrier code; undefined where there is none. */
async function configurationFor(code: string, target: Target, asking: Asking): Promise<Discovered | undefined> {
  try {
    return await findEndpoints({ ...target, mccmnc: code, endpoints: {} }, asking);
  } catch (error) {
    if (error instanceof CarrierspecError) return undefined;
    throw error;
  }
}

const isOwn = (found: Discovered, own: Discovered): boolean =>
  found.issuer === own.issuer && namedUrls(found)['token'] === namedUrls(own)['token'];

async function checkForeign(code: string, own: Discovered, ground: Ground): Promise<Found> {
  const about = `carrier code ${code}`;
  const found = await configurationFor(code, ground.target, ground.asking);
  if (found === undefined || !isOwn(found, own)) return ok(about, 'discovery gives no configuration of this carrier');
  return problem(about, {
    whose: 'configuration',
    description: 'it is named as foreign, and discovery gives the configuration of this carrier',
    change: 'write it under carrier_codes.own, or let the carrier refuse it',
  });
}

async function checkOwn(code: string, own: Discovered, ground: Ground): Promise<Found> {
  const about = `carrier code ${code}`;
  const found = await configurationFor(code, ground.target, ground.asking);
  if (found !== undefined && isOwn(found, own)) return ok(about, 'discovery gives the configuration of this carrier');
  return problem(about, {
    whose: 'configuration',
    description: 'it is named as one of this carrier, and discovery does not give its configuration',
    change: 'take it out of carrier_codes.own, or let the carrier publish it',
  });
}

interface Ground {
  readonly target: Target;
  readonly asking: Asking;
}

/** The carrier codes of the target file against what discovery gives for each. */
export async function checkCodes(own: Discovered, ground: Ground): Promise<readonly Note[]> {
  const { mccmnc, carrierCodes, discovery } = ground.target;
  if (discovery === undefined) return [];
  const { own: codes = [], foreign = [] } = carrierCodes ?? {};
  const found: Found[] = [];
  for (const code of codes) if (code !== mccmnc) found.push(await checkOwn(code, own, ground));
  for (const code of foreign) found.push(await checkForeign(code, own, ground));
  if (foreign.length === 0) {
    found.push(skipped('carrier codes', 'none of another carrier is named: cases that ask with one are not run'));
  }
  return notesOf('declarations', found);
}

/** The keys that sign by an algorithm that discovery does not list, by their clients. */
function unlistedKeys({ clients }: Target, algs: readonly string[]): readonly Found[] {
  const listed = algs.join(', ');
  return clients.flatMap(({ name, keys }) =>
    keys
      .filter(({ alg }) => !algs.includes(alg))
      .map(({ alg, kid }) =>
        warning(`client ${name}`, {
          whose: 'configuration',
          description: `discovery lists ${listed}, so its key ${kid} of ${alg} cannot be used: cases that sign with it and are refused have no verdict`,
          change: `register a key of ${listed} in its place; carrierspec init --alg ${algs[0] ?? ''} makes one`,
        }),
      ),
  );
}

/** A key is needed for every algorithm that discovery lists, and none of another (C7.22). */
export function checkAlgorithms(found: Discovered, target: Target, members: readonly string[]): readonly Note[] {
  const algs = listedAlgorithms(found.configuration, members);
  if (algs.length === 0) return [];
  const owned = new Set(target.clients.flatMap(({ keys }) => keys.map(({ alg }) => alg)));
  const missing = algs.filter((alg) => !owned.has(alg));
  const note =
    missing.length === 0
      ? ok('algorithms', `there is a key for each that discovery lists: ${algs.join(', ')}`)
      : warning('algorithms', {
          whose: 'configuration',
          description: `discovery lists ${algs.join(', ')}, and no client has a key of ${missing.join(', ')}`,
          change: `register a key of ${missing.join(' and one of ')} with one of the clients; carrierspec init --alg makes them`,
        });
  return notesOf('keys', [note, ...unlistedKeys(target, algs)]);
}
