import { memoizeByObject } from '../../lib/lists.ts';

// The only door to the laboratory, beside the commands `prove` and `explore`: a command that names no fault loads none of it.

/** Loads the faults and variants of the reference carrier. */
export const loadFaults = () => import('../../lab/catalogue.ts');
const loadFreedoms = () => import('../../lab/space/freedoms.ts');

type FaultModule = Awaited<ReturnType<typeof loadFaults>>;
type FreedomModule = Awaited<ReturnType<typeof loadFreedoms>>;
export type LabFault = FaultModule['faultCatalogue'][number];
export type LabFreedom = ReturnType<FreedomModule['readFreedoms']>[number];

/** The part of the laboratory that `list` and `explain` show. */
export interface Laboratory {
  readonly faults: readonly LabFault[];
  readonly variants: FaultModule['variants'];
  readonly readFreedoms: () => readonly LabFreedom[];
  /** Parts of the carrier's definition that a fault changes. */
  readonly changedParts: (fault: LabFault) => readonly { readonly kind: string; readonly name: string }[];
}

export async function openLaboratory(): Promise<Laboratory> {
  const [{ faultCatalogue, variants }, { readFreedoms }, { changedParts }] = await Promise.all([
    loadFaults(),
    loadFreedoms(),
    import('../../lab/trace/changes.ts'),
  ]);
  return {
    faults: faultCatalogue,
    variants,
    readFreedoms,
    changedParts: memoizeByObject((fault) => changedParts(fault)),
  };
}
