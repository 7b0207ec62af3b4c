// Stands in for packages that a build must never carry.
export default {};
