import { writePacked } from '../../lib/package-file.ts';
import { preparedFreedoms } from '../../setup/paths.ts';
import { recordParsed } from '../../suite/prepared-files.ts';
import { freedomsFile, loadFreedoms } from './freedoms.ts';

// Build step: parses and checks the shipped freedoms. A file edited afterwards is parsed as usual.
const { parse, packed } = recordParsed();
const { problems } = loadFreedoms(freedomsFile, parse);
writePacked(preparedFreedoms, problems.length > 0 ? {} : packed(null));
