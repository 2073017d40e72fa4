import { markDeep } from '../edit/fault-table.ts';

export const anewInformationFaults = markDeep('information', []);
