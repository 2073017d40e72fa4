import { faults } from '../../../carrier/catalogue.ts';
import type { Fault } from '../../../carrier/faults/edit/define.ts';
import { changedParts } from '../../../carrier/trace/changes.ts';
import { onceEach } from '../../../lib/lists.ts';
import { defined } from '../../../lib/optional.ts';
import { type CarrierPositions, positionOf, positionOfPart } from '../../../setup/carrier-positions.ts';
import type { FaultPart, KnownFault } from '../describe-faults.ts';

const changesOf = onceEach(changedParts);

/** What a fault changes in the reference carrier, by the names of its checks, readers, builders and policy values. */
export const partsOf = (fault: Fault, positions: CarrierPositions): readonly FaultPart[] =>
  changesOf(fault).map(({ kind, name }) => {
    const isNamed = kind === 'check' || kind === 'reader';
    const position = isNamed ? positionOf(positions.steps, name) : positionOfPart(positions, kind, name);
    return { kind, name, ...defined({ position }) };
  });

export const knownFaults = (positions: CarrierPositions): readonly KnownFault[] =>
  faults.map((fault) => ({
    name: fault.name,
    description: fault.description,
    breaks: fault.breaks,
    parts: () => partsOf(fault, positions),
    ...defined({ position: positionOf(positions.faults, fault.name) }),
  }));
