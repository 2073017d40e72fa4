import type { CarrierDefinition } from '../carrier.ts';
import {
  mapChecks,
  withAssertion,
  withCancel,
  withPipeline,
  withTraitSteps,
  withUserinfoCall,
} from './definition-parts.ts';
import { combineEdits, type Edit } from './edit.ts';
import type { Policy } from '../policy.ts';
import { Refusal } from '../refusal.ts';
import { check, type Reader, reader } from '../context.ts';

type Refusals = Policy['refusals'];

/** Changes the code or the status of refusals, by the name of the check or reader. */
export function renameRefusals(refusals: Refusals): Edit {
  if (Object.keys(refusals).length === 0) return (definition) => definition;
  return (definition) => wrapRefusals(definition, { refusals, known: new Set() });
}

export function refusingNames(definition: CarrierDefinition): ReadonlySet<string> {
  const known = new Set<string>();
  wrapRefusals(definition, { refusals: {}, known });
  return known;
}

interface RefusalRenaming {
  readonly refusals: Refusals;
  /** Collects the names of all checks and readers. */
  readonly known: Set<string>;
}

function wrapRefusals(definition: CarrierDefinition, { refusals, known }: RefusalRenaming): CarrierDefinition {
  const attempt = <T>(name: string, act: () => T): T => {
    const wanted = refusals[name];
    if (wanted === undefined) return act();
    try {
      return act();
    } catch (error) {
      throw error instanceof Refusal ? copyRefusal(error, wanted) : error;
    }
  };
  const reading = <C, More>({ name, read }: Reader<C, More>): Reader<C, More> => {
    known.add(name);
    return reader(name, (context: C) => attempt(name, () => read(context)));
  };
  const rename = combineEdits(
    mapChecks((one) => {
      known.add(one.name);
      return [check(one.name, (context) => attempt(one.name, () => one.run(context)))];
    }),
    withPipeline(({ readBody, readObject, readClient, readKey, readSubscriber, readHintToken }) => ({
      readBody: reading(readBody),
      readObject: reading(readObject),
      readClient: reading(readClient),
      readKey: reading(readKey),
      readSubscriber: reading(readSubscriber),
      readHintToken: reading(readHintToken),
    })),
    withTraitSteps(({ readClient, readProof, readSubscriber }) => ({
      readClient: reading(readClient),
      readProof: reading(readProof),
      readSubscriber: reading(readSubscriber),
    })),
    withAssertion(({ readAssertion }) => ({ readAssertion: reading(readAssertion) })),
    withCancel(({ readRequest }) => ({ readRequest: reading(readRequest) })),
    withUserinfoCall(({ readToken }) => ({ readToken: reading(readToken) })),
  );
  return rename(definition);
}

const copyRefusal = ({ error, description, status, headers }: Refusal, wanted: Refusals[string]): Refusal =>
  new Refusal(wanted?.error ?? error, description, { status: wanted?.status ?? status, headers });
