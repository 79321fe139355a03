// What is printed and kept of many measurements.
import fs from 'node:fs';

// As bench.cpp counts: half of all measurements lie between the quarters.
export function timesOf(ms) {
  const sorted = [...ms].sort((a, b) => a - b);
  const part = share => sorted[Math.floor(share * (sorted.length - 1))];
  return { median_ms: part(.5), quartiles_ms: [part(.25), part(.75)] };
}

// Columns as wide as their widest cell, the first to the left and the numbers to the right.
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)));
  const cell = (text, column) => column === 0 ? text.padEnd(widths[column]) : text.padStart(widths[column]);
  return rows.map(row => row.map(cell).join('  ')).join('\n');
}

// Puts one part into a file of measurements and leaves the other parts alone.
export function keep(file, part, measured) {
  const all = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  fs.writeFileSync(file, JSON.stringify({ ...all, [part]: measured }, null, 2) + '\n');
}
