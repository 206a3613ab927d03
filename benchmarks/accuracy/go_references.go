// Prints what every name in the Go files of a directory means, by go/types: a JSON document a name with its file,
// line, text, the file and line of its definition, what that is, and whether it is called. The file is empty for what
// is defined elsewhere, and "?" where the checker cannot tell, as for what comes from a module that is not there.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

type packages map[string][]*ast.File

var (
	root      string
	positions = token.NewFileSet()
	standard  = importer.ForCompiler(positions, "source", nil)
	modules   = map[string]string{} // directories by the paths of modules
	read      = map[string]packages{}
	checked   = map[string]*types.Package{}
	clause    = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)
)

// from imports what the files of a directory do; own is the package that its external tests are about.
type from struct {
	directory, path string
	own             *types.Package
}

func (here from) Import(path string) (*types.Package, error) {
	if here.own != nil && path == here.path {
		return here.own, nil
	}
	directory := located(here.directory, path)
	if directory == "" {
		if strings.Contains(strings.Split(path, "/")[0], ".") {
			return nil, fmt.Errorf("no module for %s", path)
		}
		return standard.Import(path)
	}
	if _, ok := checked[directory]; !ok {
		checked[directory] = nil
		name, most := "", 0
		for one, files := range parsed(directory) {
			if number := len(without(files)); number > most && !strings.HasSuffix(one, "_test") {
				name, most = one, number
			}
		}
		checked[directory] = check(from{directory: directory}, path, without(parsed(directory)[name]), nil)
	}
	if checked[directory] == nil {
		return nil, fmt.Errorf("%s imports itself", path)
	}
	return checked[directory], nil
}

// located returns the directory that an import means: a vendored one, or one of a module here.
func located(directory, path string) string {
	for above := directory; len(above) >= len(root); above = filepath.Dir(above) {
		if found := filepath.Join(above, "vendor", path); exists(found) {
			return found
		}
	}
	best := ""
	for module := range modules {
		if len(module) > len(best) && (path == module || strings.HasPrefix(path, module+"/")) {
			best = module
		}
	}
	found := filepath.Join(modules[best], strings.TrimPrefix(path, best))
	if best == "" || !exists(found) {
		return ""
	}
	for above := found; above != modules[best]; above = filepath.Dir(above) {
		if exists(filepath.Join(above, "go.mod")) {
			return ""
		}
	}
	return found
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// parsed returns the files of a directory that are built here, by the names of their packages.
func parsed(directory string) packages {
	if read[directory] == nil {
		read[directory] = packages{}
		entries, _ := os.ReadDir(directory)
		for _, entry := range entries {
			fits, err := build.Default.MatchFile(directory, entry.Name())
			if !strings.HasSuffix(entry.Name(), ".go") || err != nil || !fits {
				continue
			}
			path := filepath.Join(directory, entry.Name())
			if file, _ := parser.ParseFile(positions, path, nil, parser.SkipObjectResolution); file != nil {
				read[directory][file.Name.Name] = append(read[directory][file.Name.Name], file)
			}
		}
	}
	return read[directory]
}

// without returns the files that are no tests.
func without(files []*ast.File) []*ast.File {
	return slices.DeleteFunc(slices.Clone(files), func(file *ast.File) bool {
		return strings.HasSuffix(positions.Position(file.Package).Filename, "_test.go")
	})
}

func check(here from, path string, files []*ast.File, info *types.Info) *types.Package {
	config := types.Config{Importer: here, Error: func(error) {}, FakeImportC: true}
	found, _ := config.Check(path, positions, files, info)
	return found
}

func main() {
	root, _ = filepath.Abs(os.Args[1])
	build.Default.CgoEnabled = false
	directories := []string{}
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() == ".git" {
			return fs.SkipDir
		}
		if entry.IsDir() {
			directories = append(directories, path)
		} else if entry.Name() == "go.mod" {
			text, _ := os.ReadFile(path)
			found := clause.FindSubmatch(text)
			if found != nil && (modules[string(found[1])] == "" || len(path) < len(modules[string(found[1])])) {
				modules[string(found[1])] = filepath.Dir(path)
			}
		}
		return nil
	})
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, directory := range directories {
		path := directory
		for module, home := range modules {
			below, err := filepath.Rel(home, directory)
			if name := filepath.ToSlash(filepath.Join(module, below)); err == nil && located(directory, name) == directory {
				path = name
			}
		}
		names := []string{}
		for name := range parsed(directory) {
			names = append(names, name)
		}
		slices.Sort(names) // a package before its external tests
		known := map[string]*types.Package{}
		for _, name := range names {
			info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
			here := from{directory, path, known[strings.TrimSuffix(name, "_test")]}
			known[name] = check(here, path, parsed(directory)[name], info)
			for _, file := range parsed(directory)[name] {
				tell(json.NewEncoder(out), file, info)
			}
		}
	}
}

func tell(out *json.Encoder, file *ast.File, info *types.Info) {
	called := map[*ast.Ident]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			if name, ok := node.Fun.(*ast.Ident); ok {
				called[name] = true
			} else if selected, ok := node.Fun.(*ast.SelectorExpr); ok {
				called[selected.Sel] = true
			}
		case *ast.Ident:
			used := info.Uses[node]
			if _, defines := info.Defs[node]; node.Name == "_" || node == file.Name || used == nil && defines {
				return true
			}
			target, line := "?", 0
			if used != nil {
				target, line = place(used.Pos())
			}
			path, at := place(node.Pos())
			out.Encode([]any{path, at, node.Name, target, line, sort(used), called[node]})
		}
		return true
	})
}

func place(at token.Pos) (string, int) {
	position := positions.Position(at)
	if below, ok := strings.CutPrefix(position.Filename, root+"/"); ok {
		return below, position.Line
	}
	return "", 0
}

func sort(used types.Object) string {
	switch used := used.(type) {
	case *types.Var:
		if !used.IsField() && (used.Pkg() == nil || used.Parent() != used.Pkg().Scope()) {
			return "local"
		}
	case *types.TypeName:
		if _, ok := used.Type().(*types.TypeParam); ok {
			return "local"
		}
	case *types.PkgName, *types.Label:
		return "local"
	}
	return ""
}
