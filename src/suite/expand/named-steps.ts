import { join } from 'node:path';
import { isThere } from '../../files/look.ts';
import { described, type Grammar, json, list, mapping, nonEmptyText, object, placed } from '../grammar/grammar.ts';
import { pathLabel, type ReadingServices, readChecked } from '../suite-files.ts';
import { documentRoot } from '../yaml/document.ts';
import { type Node, nodeItems, nodeMember, nodeMembers, nodeText } from './node.ts';

const stepsName = 'steps.yaml';

const stepList = list(json({ type: 'object' }), { title: 'a list of steps', minItems: 1 });

/** Grammar of `suites/steps.yaml`: steps of the suite language by name, with parameters that they read as `{{ do.name }}`. */
export const namedStepsFile: Grammar<unknown> = mapping(
  object(
    {
      description: nonEmptyText({ description: 'One sentence: what the steps do.' }),
      parameters: mapping(nonEmptyText({ description: 'The meaning of its value.' }), {
        title: 'a mapping of parameters',
        description: 'Parameters that must be passed, with what each is.',
      }),
      optional: mapping(json({ description: 'The value if none is passed.' }), {
        title: 'a mapping of parameters',
        description: 'Parameters that may be passed, with their value otherwise.',
      }),
      steps: described(stepList, 'The steps, which read a parameter as {{ do.name }}.'),
      by: nonEmptyText({ description: 'The parameter that chooses the steps.' }),
      choices: placed(mapping(stepList, { title: 'a mapping of steps', description: 'Steps for each value of `by`.' })),
    },
    { title: 'named steps', required: ['description', 'parameters'] },
  ),
  { title: 'named steps by name', description: 'Steps that any case may take by `do`; see docs/suite-language.md.' },
);

export interface NamedSteps {
  readonly parameters: readonly string[];
  /** Values of parameters that need not be passed. */
  readonly optional: Node | undefined;
  /** Parameter that chooses the steps. */
  readonly by: string | undefined;
  /** Steps for each value of `by`; without `by`, under the empty name. */
  readonly choices: ReadonlyMap<string, readonly Node[]>;
}

export interface Shared {
  readonly namedSteps: ReadonlyMap<string, NamedSteps>;
}

/** File of a folder with the named steps that all suites share, if any. */
export function findShared(dir: string): readonly { readonly path: string; readonly name: string }[] {
  const path = join(dir, stepsName);
  return isThere(path) ? [{ path, name: stepsName }] : [];
}

/** Reads the named steps of the shipped folder; none if it has no such file. */
export function readShared(shipped: string, reports: ReadingServices): Shared {
  const [found] = findShared(shipped);
  if (found === undefined) return { namedSteps: new Map() };
  const kind = { kind: 'steps', shape: namedStepsFile };
  const { document } = readChecked({ path: found.path, label: pathLabel(found.path) }, kind, reports);
  const steps = nodeMembers({ json: documentRoot(document).value ?? null, places: document.places });
  return { namedSteps: new Map(steps.map(([name, , node]) => [name, toNamedSteps(node)])) };
}

function toNamedSteps(node: Node): NamedSteps {
  const by = nodeMember(node, 'by');
  const own = nodeMember(node, 'steps');
  const choices = nodeMember(node, 'choices');
  const chosen =
    choices === undefined ? [] : nodeMembers(choices).map(([name, , steps]) => [name, nodeItems(steps)] as const);
  return {
    parameters: nodeMembers(nodeMember(node, 'parameters') ?? node).map(([name]) => name),
    optional: nodeMember(node, 'optional'),
    by: by === undefined ? undefined : nodeText(by),
    choices: new Map(own === undefined ? chosen : [['', nodeItems(own)]]),
  };
}
