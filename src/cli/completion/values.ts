import { eventKinds } from '../../interfaces/server-initiated/event-kinds.ts';
import { raisingActions } from '../../interfaces/server-initiated/actions.ts';
import { selectableNames } from '../../engine/plan/select.ts';
import { formats } from '../../report/formats.ts';
import { readSuites } from '../../setup/read.ts';
import type { Suites } from '../../suite/suites.ts';
import { keyNames } from '../../wire/build/keys.ts';
import { knownNames } from '../explain/find.ts';
import type { Entry, Kind, World } from '../explain/kinds/kind.ts';
import { kinds } from '../explain/kinds/table.ts';
import { worldOf } from '../explain/kinds/world.ts';
import type { Candidate, ValuePlace } from './complete-words.ts';

type Source = (world: World, typed: string) => readonly Candidate[];

const candidateOf = ({ name, description }: Entry): Candidate => ({ value: name, description });

const ofKinds =
  (...names: readonly string[]): Source =>
  (world) =>
    kinds.filter(({ name }) => names.includes(name)).flatMap((kind: Kind) => kind.entries(world).map(candidateOf));

const plain = (values: Iterable<string>): readonly Candidate[] =>
  [...values].map((value) => ({ value, description: '' }));

/** Where nothing is typed yet, areas: there are over a thousand names. */
function selectors(world: World, typed: string): readonly Candidate[] {
  if (typed === '') return ofKinds('area')(world, typed);
  const described = new Map(ofKinds('rule', 'case', 'invariant', 'area')(world, typed).map((one) => [one.value, one]));
  return selectable(world.suites).map((value) => described.get(value) ?? { value, description: '' });
}

/** A path or a title with blanks is no word that a shell can offer. */
const selectable = (suites: Suites): readonly string[] =>
  selectableNames(suites).filter((name) => !/[\s/]|\.yaml$/.test(name));

function everything(world: World, typed: string): readonly Candidate[] {
  if (typed === '') return ofKinds('area')(world, typed);
  return [...knownNames(world)].map(([value, description]) => ({ value, description }));
}

const reports: Source = () => plain(Object.keys(formats).map((name) => `${name}=`));

const keys: Source = () => plain(['other', ...keyNames]);

/** By the flag or the argument; those of one command alone have its name before them. */
const sources: Readonly<Record<string, Source>> = {
  '[what...]': selectors,
  'explain <name>': everything,
  'measure [name...]': ofKinds('limit', 'profile'),
  'prove [name...]': ofKinds('fault', 'variant', 'freedom'),
  '--fault': ofKinds('fault'),
  '--without': ofKinds('area'),
  '--report': reports,
  '--tamper': ofKinds('tamper'),
  '--subscriber': ofKinds('tag'),
  '--client': ofKinds('client'),
  '--clock': () => plain(['real', 'virtual']),
  '--kind': () => plain(kinds.map(({ name }) => name)),
  'send --key': keys,
  'send --trigger': () => plain(raisingActions),
  'send --kind': () => plain(Object.keys(eventKinds)),
  'send --claim': (world) => ofKinds('member')(world, '').map((one) => ({ ...one, value: `${one.value}=` })),
  'send --drop': ofKinds('member'),
};

/** The names that a flag or an argument can have. */
export async function namedValues({ command, spec, typed }: ValuePlace): Promise<readonly Candidate[]> {
  const name = spec.startsWith('-') ? (spec.split(' ')[0] ?? spec) : spec;
  const source = sources[`${command} ${name}`] ?? sources[name];
  return source === undefined ? [] : source(worldOf(await readSuites([])), typed);
}
